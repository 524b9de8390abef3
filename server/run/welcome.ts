import { schemeOf } from '@sightline/edge'
import type { Config } from './config.ts'
import type { Demonstration } from './demo/demonstration.ts'
import { tlsOf } from './front.ts'

/** Tells whoever started it where to go. Goes around the log: a password belongs on the screen once, not into a file. */
export async function welcome(config: Config, demo: Demonstration | undefined): Promise<void> {
  const { host, port } = config.listen
  const shownHost = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  const address = config.publicUrl?.origin ?? `${schemeOf(tlsOf(config, ''))}://${shownHost}:${port}`
  const lines = [
    '',
    `  Sightline is ready at ${address}`,
    `    My Account  ${address}/`,
    `    Web App     ${address}/app/`,
  ]
  if (demo !== undefined) lines.push('', ...demonstrationLines(demo))
  process.stdout.write(`${lines.join('\n')}\n\n`)
  await demo?.password?.forget()
}

function demonstrationLines({ people, password }: Demonstration): string[] {
  const [owner, guard, other] = people
  const users = [
    `    ${owner}   owner of the account`,
    `    ${guard}   guard, may watch two cameras`,
    `    ${other}   another account`,
  ]
  const how =
    password === undefined
      ? '  The password of the demonstration was printed at its first start.'
      : `  Password of all three: ${password.password}\n  It is shown this once.`
  return ['  Demonstration users', ...users, '', how]
}
