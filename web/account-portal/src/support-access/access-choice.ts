import { ALWAYS, type SupportAccess } from '@sightline/contract/support-access'

const MS_PER_HOUR = 3_600_000

/** The durations of support access, in milliseconds, in the order of the list. */
export const durations = {
  hour: MS_PER_HOUR,
  fourHours: 4 * MS_PER_HOUR,
  day: 24 * MS_PER_HOUR,
  week: 7 * 24 * MS_PER_HOUR,
  thirtyDays: 30 * 24 * MS_PER_HOUR,
} as const
export type Duration = keyof typeof durations

const isDuration = (choice: string): choice is Duration => choice in durations

/** The values of the form. `until` is a local time as a date-time field has it, `yyyy-mm-ddThh:mm`. */
export interface AccessChoice {
  readonly [field: string]: string
  readonly access: string
  readonly until: string
  readonly video: string
}

/** The request. */
export interface SupportAccessChange {
  /** With an offset from UTC; null closes the account to support. */
  readonly allowsHelpdeskExpirationDate?: string | null
  readonly allowsHelpdeskShowVideo?: boolean
}

/** The form's values for the current grant. */
export type AccessState = { readonly kind: 'closed' | 'always' } | { readonly kind: 'until'; readonly until: number }

export function accessState({ allowsHelpdeskExpirationDate }: SupportAccess, now: number): AccessState {
  const until = allowsHelpdeskExpirationDate === null ? 0 : Date.parse(allowsHelpdeskExpirationDate)
  if (until >= ALWAYS) return { kind: 'always' }
  return until > now ? { kind: 'until', until } : { kind: 'closed' }
}

const pad = (value: number): string => String(value).padStart(2, '0')

/** In the format of a date-time field: the browser's time zone, without seconds. */
export function localText(ms: number): string {
  const date = new Date(ms)
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`
}

export function savedChoice(access: SupportAccess, now: number): AccessChoice {
  const state = accessState(access, now)
  return {
    access: state.kind,
    until: state.kind === 'until' ? localText(state.until) : '',
    video: access.allowsHelpdeskShowVideo ? 'shown' : 'hidden',
  }
}

/** The problem with the chosen time. */
export function untilProblem({ access, until }: AccessChoice, now: number): string | undefined {
  if (access !== 'until') return undefined
  const ms = Date.parse(until)
  return Number.isNaN(ms) || ms <= now ? 'Choose a time in the future' : undefined
}

/** The request. Unchanged values are omitted, so that a change of video doesn't round a grant down to whole minutes. */
export function accessPatch(wish: AccessChoice, saved: AccessChoice, now: number): SupportAccessChange {
  const { access, until, video } = wish
  const isSame = access === saved.access && until === saved.until
  return {
    ...(isSame ? {} : { allowsHelpdeskExpirationDate: endOf(access, until, now) }),
    ...(video === saved.video ? {} : { allowsHelpdeskShowVideo: video === 'shown' }),
  }
}

function endOf(access: string, until: string, now: number): string | null {
  if (access === 'closed') return null
  if (access === 'always') return new Date(ALWAYS).toISOString()
  return new Date(isDuration(access) ? now + durations[access] : Date.parse(until)).toISOString()
}
