import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** Where the time of one test file went, in milliseconds; a line of the file that SIGHTLINE_TEST_TIMES names. */
export interface FileTime {
  readonly project: string
  readonly file: string
  /** Imports of the file and all it needs. */
  readonly imports: number
  /** Hooks and tests. */
  readonly tests: number
}

/** Writes down how long each file took, for the summary at the end of the whole run. */
export default class TimesReporter implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const target = process.env.SIGHTLINE_TEST_TIMES
    if (target === undefined) return
    const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } = module.diagnostic()
    const time: FileTime = {
      project: module.project.name,
      file: relative(process.cwd(), module.moduleId),
      imports: prepareDuration + environmentSetupDuration + setupDuration + collectDuration,
      tests: duration,
    }
    appendFileSync(target, `${JSON.stringify(time)}\n`)
  }
}
