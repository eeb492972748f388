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
export type TempoDomainName = (typeof tempoDomains)[number];

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
export const reportedClasses = [
  {
    name: 'EAL',
    title: 'Event Analysis & Localization',
    annotated: 'event_analysis_and_localization',
  },
  {
    name: 'TPC',
    title: 'Time Period Contextualization',
    annotated: 'time_period_contextualization',
  },
  {
    name: 'OEC',
    title: 'Origins & Evolution Comparative',
    annotated: 'origins_evolution_comparative_analysis',
  },
  {
    name: 'TCP',
    title: 'Trends & Cross-Period Comparison',
    annotated: 'trends_changes_and_cross_period',
  },
  {
    name: 'EVA',
    title: 'Event Verification & Authenticity',
    annotated: 'event_verification_and_authenticity',
  },
  {
    name: 'MAP',
    title: 'Materials & Artifacts Provenance',
    annotated: 'materials_artifacts_and_provenance',
  },
  { name: 'OTH', title: 'Other' },
  {
    name: 'SMD',
    title: 'Sources & Methods Documentation',
    annotated: 'sources_methods_and_documentation',
  },
  { name: 'CAU', title: 'Causation Analysis', annotated: 'causation_analysis' },
  {
    name: 'HAC',
    title: 'Historical Attribution & Context',
    annotated: 'historical_attribution_and_context',
  },
] as const satisfies readonly { name: string; title: string; annotated?: AnnotatedClass }[];
export type ReportedClass = (typeof reportedClasses)[number]['name'];

/**
 * The class of the tables for an annotated class. Two of the prompt's eleven classes have no
 * column, and data can have unknown or missing classes: these are "Other", as in the paper.
 * @example reportedClass('causation_analysis') // 'CAU'
 */
export function reportedClass(annotated: string | undefined): ReportedClass {
  return (
    reportedClasses.find((each) => 'annotated' in each && each.annotated === annotated)?.name ??
    'OTH'
  );
}

/** The order of classes in tables, followed by the prompt's names. */
export function classOrder(name: string): number {
  const reported = reportedClasses.findIndex((each) => each.name === name);
  return reported >= 0
    ? reported
    : reportedClasses.length + annotatedClasses.indexOf(name as AnnotatedClass);
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
