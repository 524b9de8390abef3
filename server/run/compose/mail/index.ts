import { join } from 'node:path'
import { systemClock } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import type { JobTasks } from '@sightline/platform/jobs'
import type { Logger } from '@sightline/platform/log'
import { type Deliver, mailFolder, mailTasks, smtpDelivery } from '@sightline/platform/mail'
import type { Config, EnvironmentSecrets } from '../config.ts'
import type { Secrets } from '../secrets.ts'
import { capturedMailPages, type Handle } from './captured-mail.ts'
import { type MailFigures, mailFigures } from './figures.ts'
import { type MailKey, mailKey } from './mail-key.ts'

export interface MailService extends MailFigures {
  /** What sends emails. */
  readonly tasks: JobTasks
  /** Serves the pages of captured emails, if they are shown; everything else goes to `otherwise`. */
  before(otherwise: Handle): Handle
  /** Gives a browser access; undefined if no emails are shown. */
  readonly key: Pick<MailKey, 'link' | 'onNextLink'> | undefined
}

export interface MailingDeps {
  readonly config: Config
  readonly given: EnvironmentSecrets
  readonly dataFolder: string
  /** Under the role `auth`. */
  readonly authDb: Db
  readonly secrets: Secrets
  readonly log: Logger
}

/** Sends the outbox through the operator's mail server, or stores it in folder `mail` of the data. Logs which. */
export function openMailing(deps: MailingDeps): MailService {
  const { config, given, authDb: db, secrets, log } = deps
  const { deliver, before, key } = wayOut(config, given, deps)
  const tasks = mailTasks({
    db,
    encryption: envelopeEncryption(secrets.installationKey),
    deliver,
    clock: systemClock,
    log,
  })
  return { before, key, tasks, ...mailFigures(db, systemClock) }
}

function wayOut(
  { mail }: Config,
  { smtpServer }: EnvironmentSecrets,
  { dataFolder, log }: MailingDeps,
): { readonly deliver: Deliver } & Pick<MailService, 'before' | 'key'> {
  if (mail.kind === 'smtp' && smtpServer !== undefined) {
    const { host, port, security } = smtpServer
    log.info({ from: mail.from, security }, `sending email through ${host} port ${port}`)
    return {
      deliver: smtpDelivery({ server: smtpServer, from: mail.from }),
      before: (otherwise) => otherwise,
      key: undefined,
    }
  }
  const path = join(dataFolder, 'mail')
  const folder = mailFolder(path)
  if (mail.kind === 'kept' && mail.isShown) {
    log.info(
      `emails are kept on this machine: open them with the link printed at startup, or set SIGHTLINE_SMTP_URL to send them`,
    )
    const key = mailKey()
    return { deliver: folder.deliver, before: capturedMailPages({ folder, key, log }), key }
  }
  log.warn(`emails are not sent, only kept in ${path}: set SIGHTLINE_SMTP_URL to send them`)
  return { deliver: folder.deliver, before: (otherwise) => otherwise, key: undefined }
}
