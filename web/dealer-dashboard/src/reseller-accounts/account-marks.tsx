import type { Account } from '@sightline/contract/reseller-accounts'
import { ALWAYS } from '@sightline/contract/support-access'
import { Badge, type Mood } from '@sightline/kit'
import { useMoment } from '../moments.ts'
import { type Text, useText } from '../text.ts'

export type Status = Account['status']

interface Meaning {
  readonly label: Text
  readonly mood: Mood
  readonly meaning: Text
}

export const statuses: Readonly<Record<Status, Meaning>> = {
  active: { label: 'Active', mood: 'success', meaning: 'Everything works normally.' },
  inactive: {
    label: 'Inactive',
    mood: 'warning',
    meaning: "Users can sign in and cameras record, but users can't change the account or its subscription.",
  },
  suspended: {
    label: 'Suspended',
    mood: 'danger',
    meaning: "Users can't sign in, and no one can watch live video or recordings.",
  },
}

export const userTypes: Readonly<Record<Account['userType'], Text>> = {
  regular: 'Regular',
  trial: 'Trial',
  demo: 'Demo',
}

export function StatusBadge({ status }: { status: Status }) {
  const t = useText()
  const { mood, label } = statuses[status]
  return <Badge mood={mood}>{t(label)}</Badge>
}

type Grant = Pick<Account, 'allowsHelpdeskExpirationDate' | 'allowsHelpdeskShowVideo'>

/** When the owner's grant ends, in milliseconds since 1970; undefined if there is none. */
export function grantEnd({ allowsHelpdeskExpirationDate: until }: Grant, now: number): number | undefined {
  const end = until === null ? 0 : Date.parse(until)
  return end > now ? end : undefined
}

/** Whether and until when the owner allows support. */
export function useGrantText(): (grant: Grant) => string {
  const t = useText()
  const moment = useMoment()
  return (grant) => {
    const end = grantEnd(grant, Date.now())
    if (end === undefined) return t('Not allowed')
    return end >= ALWAYS ? t('Always allowed') : t('Allowed until {when}', { when: moment(end) })
  }
}
