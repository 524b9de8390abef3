/** Exit code of a check that cannot be made here; its reason is the last line it prints. */
export const SKIPPED = 77

/** Ends a check: every problem on a line of its own, and exit code 1 if there is one. */
export function report(problems: readonly string[]): void {
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}

/** Ends a check that has nothing to look at yet, or lacks a tool. It is counted as skipped, never as passed. */
export function skip(reason: string): void {
  console.log(reason)
  process.exitCode = SKIPPED
}
