// TEMPO's domains and reasoning classes, in the names of the annotation prompt and of the paper's
// tables.
import { invalidArgument } from 'asof/kit';

/** The thirteen domains, by their file names (table 2). */
export const tempoDomains = [
  'bitcoin',
  'cardano',
  'economics',
  'genealogy',
  'history',
  'hsm',
  'iota',
  'law',
  'monero',
  'politics',
  'quant',
  'travel',
  'workplace',
] as const;

/** The eleven classes that the annotation prompt allows (appendix B.2, figure 10). */
export const annotatedClasses = [
  'event_analysis_and_localization',
  'time_period_contextualization',
  'event_verification_and_authenticity',
  'sources_methods_and_documentation',
  'materials_artifacts_and_provenance',
  'trends_changes_and_cross_period',
  'origins_evolution_comparative_analysis',
  'historical_misinterpretation_or_reenactment',
  'causation_analysis',
  'artifact_verification',
  'historical_attribution_and_context',
] as const;
export type AnnotatedClass = (typeof annotatedClasses)[number];

/**
 * The ten classes of section 3.3 and tables 22 and 23, in their order, with the prompt's names.
 */
const reportedClasses: Readonly<Record<string, AnnotatedClass | undefined>> = {
  EAL: 'event_analysis_and_localization',
  TPC: 'time_period_contextualization',
  OEC: 'origins_evolution_comparative_analysis',
  TCP: 'trends_changes_and_cross_period',
  EVA: 'event_verification_and_authenticity',
  MAP: 'materials_artifacts_and_provenance',
  OTH: undefined,
  SMD: 'sources_methods_and_documentation',
  CAU: 'causation_analysis',
  HAC: 'historical_attribution_and_context',
};

/**
 * The class of the tables for an annotated class. Two of the prompt's eleven classes have no
 * column, and data can have unknown or missing classes: these are "Other", as in the paper.
 * @example reportedClass('causation_analysis') // 'CAU'
 */
function reportedClass(annotated: string | undefined): string {
  const names = Object.keys(reportedClasses);
  return names.find((name) => annotated && reportedClasses[name] === annotated) ?? 'OTH';
}

/** The order of classes in tables, followed by the prompt's names. */
export function classOrder(name: string): number {
  const names = Object.keys(reportedClasses);
  const reported = names.indexOf(name);
  return reported >= 0 ? reported : names.length + annotatedClasses.indexOf(name as AnnotatedClass);
}

/** Names of classes in a breakdown: the ten of the tables, or as annotated. */
export const classForms = ['reported', 'annotated'] as const;
export type ClassForm = (typeof classForms)[number];

/** A query's class in a breakdown; a query without one is OTH, or "none" as annotated. */
export function breakdownClass(
  annotated: string | undefined,
  form: ClassForm = 'reported',
): string {
  if (!classForms.includes(form)) throw invalidArgument('classes', classForms.join(' or '), form);
  return form === 'reported'
    ? reportedClass(annotated)
    : annotated === undefined || annotated === ''
      ? 'none'
      : annotated;
}
