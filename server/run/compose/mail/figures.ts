import { type Clock, type EpochMs, MS_PER_DAY, MS_PER_MINUTE } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import { type OutboxFigures, readFigures } from '@sightline/platform/mail'
import { Gauge, type Registry } from 'prom-client'

/** Receivers that reject the first try (greylisting) accept one within minutes. */
const LONG_WAIT_MS = 15 * MS_PER_MINUTE
/** How long operators see permanently failed emails. */
const TOLD_MS = MS_PER_DAY

export interface MailFigures {
  /** Undefined if the database doesn't answer. */
  figures(): Promise<OutboxFigures | undefined>
  /** The problems for the operator, one sentence each. */
  problems(): Promise<readonly string[]>
}

/** @param db under the role `auth`. */
export function mailFigures(db: Db, clock: Clock): MailFigures {
  const figures = (): Promise<OutboxFigures | undefined> => {
    const now: EpochMs = clock.now()
    // The database check reports that the database doesn't respond.
    return readFigures(db, now, now - TOLD_MS).catch(() => undefined)
  }
  return { figures, problems: async () => listMailProblems(await figures()) }
}

/** The problems of the outbox in sentences: emails waiting for long, or recent failures. */
export function listMailProblems(figures: OutboxFigures | undefined): readonly string[] {
  if (figures === undefined) return []
  const { waiting, longestWaitMs, givenUp } = figures
  const minutes = Math.floor(longestWaitMs / MS_PER_MINUTE)
  return [
    ...(longestWaitMs > LONG_WAIT_MS
      ? [
          `${count(waiting, 'email is', 'emails are')} waiting to be sent, the oldest for ${minutes} minutes: see the log`,
        ]
      : []),
    ...(givenUp > 0
      ? [`${count(givenUp, 'email', 'emails')} could not be delivered in the last 24 hours: see the log`]
      : []),
  ]
}

const count = (number: number, one: string, more: string): string => `${number} ${number === 1 ? one : more}`

/** The state of the outbox; NaN if the database doesn't respond. */
export function registerMailMetrics(registry: Registry, { figures }: Pick<MailFigures, 'figures'>): void {
  const gauge = (name: string, help: string, read: (of: OutboxFigures) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const found = await figures()
        this.set(found === undefined ? Number.NaN : read(found))
      },
    })
  gauge('sightline_mails_waiting', 'Emails waiting to be sent.', ({ waiting }) => waiting)
  gauge(
    'sightline_mails_longest_wait_seconds',
    'Age of the oldest email waiting to be sent.',
    ({ longestWaitMs }) => longestWaitMs / 1000,
  )
  gauge(
    'sightline_mails_given_up',
    'Emails that could not be delivered in the last 24 hours.',
    ({ givenUp }) => givenUp,
  )
}
