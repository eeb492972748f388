// What a case of an installation is, and what it needs.
import type { Project } from './project.js';

export interface Surroundings {
  /** A new project in an empty folder. */
  project(name: string): Project;
  /** Path in a package that is installed for the harness, once: a tool that is not under test. */
  tool(spec: string, path: string): string;
  version: string;
  /** As in '@asof/linux-x64'. */
  binary: string;
}

export interface Case {
  /** Selects it on the command line. */
  name: string;
  /** What a user adds; absent where nothing is needed. */
  line?: string;
  run(surroundings: Surroundings): Promise<void> | void;
}

export interface Group {
  title: string;
  cases: readonly Case[];
}
