import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** Where one test file's time went, in milliseconds; one line of the file named by SIGHTLINE_TEST_TIMES. */
export interface FileTime {
  readonly project: string
  readonly file: string
  /** Importing the file and its dependencies. */
  readonly imports: number
  /** Hooks and tests. */
  readonly tests: number
}

/** Records how long each file took, for the summary at the end of the run. */
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
