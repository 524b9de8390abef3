/** Exit code of a check that can't run here; its reason is the last line of its output. */
export const SKIPPED = 77

/** Ends a check: prints each problem on one line, with exit code 1 if there are any. */
export function report(problems: readonly string[]): void {
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}

/** Ends a check that has nothing to check yet, or lacks a tool. It counts as skipped, never as passed. */
export function skip(reason: string): void {
  console.log(reason)
  process.exitCode = SKIPPED
}
