import { StartRefused } from '@sightline/platform/startup'

/** Ends the process with the exit code that an operator's command answers; with 1 and a sentence where it fails. */
export async function endWith(command: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command()
  } catch (error) {
    console.error(error instanceof StartRefused ? error.message : (sentenceOf(error) ?? error))
    process.exitCode = 1
  }
}

/** What a database that is not there, or not of this version, is to an operator. */
function sentenceOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === '42P01') return 'The database is not of this version: start Sightline on it first.'
  return code === 'ECONNREFUSED' ? 'The database does not answer: start Sightline first.' : undefined
}

/** What was done goes to one stream, what is wrong to the other; the exit code. */
export function say(
  done: { readonly ok: true; readonly value: string } | { readonly ok: false; readonly failure: string },
): number {
  if (done.ok) process.stdout.write(done.value)
  else process.stderr.write(`${done.failure}\n`)
  return done.ok ? 0 : 1
}
