import { networkInterfaces } from 'node:os'
import { getScheme } from '@sightline/edge'
import type { Config } from '../compose/config.ts'
import type { FirstRun } from '../compose/first-run/index.ts'
import { toTlsSetting } from '../compose/front.ts'
import type { MailService } from '../compose/mail/index.ts'
import type { Demonstration } from '../demo/demonstration.ts'
import { privateNetworks } from './private-networks.ts'

interface Guests {
  readonly demo: Demonstration | undefined
  readonly firstRun: FirstRun | undefined
  readonly mailKey: MailService['key']
}

/**
 * Prints the address for the person who started it. Bypasses the log: a password is shown once on the screen, and not
 * stored in a file.
 */
export async function welcome(config: Config, { demo, firstRun, mailKey }: Guests): Promise<void> {
  const { host, port } = config.listen
  const shownHost = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  const address = config.publicUrl?.origin ?? `${getScheme(toTlsSetting(config, ''))}://${shownHost}:${port}`
  const lines = [
    '',
    `  Sightline is ready at ${address}`,
    `    My Account        ${address}/`,
    `    Web App           ${address}/app/`,
    `    Dealer Dashboard  ${address}/dealer/`,
  ]
  if (demo !== undefined) lines.push('', ...demonstrationLines(demo))
  if (firstRun !== undefined) lines.push('', ...firstRunLines(`${address}${firstRun.link}`))
  if (demo === undefined && config.cameraNetworks.length === 0) lines.push('', ...networkLines())
  if (mailKey !== undefined) {
    lines.push(
      '',
      ...mailLines(
        'Emails are kept on this machine. To read them in your browser, open this link:',
        `${address}${mailKey.link()}`,
      ),
    )
    mailKey.onNextLink((link) => {
      process.stdout.write(
        `${mailLines('To read the emails in another browser, open this link:', `${address}${link}`).join('\n')}\n\n`,
      )
    })
  }
  process.stdout.write(`${lines.join('\n')}\n\n`)
  await demo?.password?.forget()
}

const mailLines = (what: string, link: string): string[] => [`  ${what}`, `    ${link}`]

/** Without the setting, no camera in the operator's own network can be added, and nothing in the apps can change that. */
function networkLines(): string[] {
  const networks = privateNetworks(networkInterfaces()).join(',') || '192.168.1.0/24'
  return [
    '  Cameras in private networks are rejected until the setting SIGHTLINE_CAMERA_NETWORKS allows them. To allow yours, start with:',
    `    SIGHTLINE_CAMERA_NETWORKS=${networks} npm start`,
  ]
}

const firstRunLines = (link: string): string[] => [
  '  No users exist yet. Open this link to create the first administrator:',
  `    ${link}`,
  '  The link works once. Until a user is created, each start prints a new one.',
]

function demonstrationLines({ people, password, brands }: Demonstration): string[] {
  const widest = Math.max(...people.map(({ email }) => email.length))
  const users = people.map(({ email, what }) => `    ${email.padEnd(widest)}   ${what}`)
  const how =
    password === undefined
      ? '  The password of the demo users was printed at the first start.'
      : `  Password of all demo users: ${password.password}\n  It is shown only once.`
  const widestName = Math.max(0, ...brands.map(({ company }) => company.length))
  const looks = brands.map(({ company, origin }) => `    ${company.padEnd(widestName)}   ${origin}/`)
  const seen = looks.length === 0 ? [] : ['  The same apps with each reseller’s brand', ...looks, '']
  return ['  Demo users', ...users, '', ...seen, how]
}
