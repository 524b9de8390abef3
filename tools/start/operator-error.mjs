/** The person at the terminal must do something first; the message says what, and is all that is shown. */
export class OperatorError extends Error {
  name = 'OperatorError'
}

/** Runs `work` and turns its outcome into an exit code. An OperatorError prints its sentence, anything else its stack. */
export async function runForExitCode(work) {
  try {
    return await work()
  } catch (error) {
    console.error(error instanceof OperatorError ? error.message : error)
    return 1
  }
}
