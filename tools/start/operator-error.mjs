/** The operator has to do something first; only the message is shown, and it says what. */
export class OperatorError extends Error {
  name = 'OperatorError'
}

/** Runs `work` and converts its outcome to an exit code. An OperatorError prints its message, other errors their stack. */
export async function runForExitCode(work) {
  try {
    return await work()
  } catch (error) {
    console.error(error instanceof OperatorError ? error.message : error)
    return 1
  }
}
