/** The person at the terminal must do something first; the message says what, and is all that is shown. */
export class Refusal extends Error {
  name = 'Refusal'
}

/** Runs `work` and turns its outcome into an exit code. A refusal prints its sentence, anything else its stack. */
export async function runForExitCode(work) {
  try {
    return await work()
  } catch (error) {
    console.error(error instanceof Refusal ? error.message : error)
    return 1
  }
}
