import { ApiFailure, type LaterText } from '@sightline/client'
import { isDemoUser } from '@sightline/contract/rights'
import {
  deleteSupportSessions,
  getOwnSupportSession,
  type OwnSupportSession,
  type SupportSession,
} from '@sightline/contract/support-sessions'
import { Banner } from '@sightline/kit'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountQueries } from '../account-queries.ts'
import { useApplication } from '../application.ts'
import { useOwnMember } from '../own-member.ts'
import { useTranslation } from '../translation.tsx'
import { useAllTexts } from '../use-all-texts.ts'
import { dealerAddress, supportSessionKey } from './support-session.ts'
import { supportSessionsQuery } from './support-sessions-query.ts'

/** How often support checks. If the owner ends a session, the server rejects its calls immediately anyway. */
const ASK_EVERY_MS = 5000

/** Hours and minutes, with the date if it isn't today. */
function useWhen(): (time: string) => string {
  const { languages } = useApplication()
  const language = languages.current()
  // With the browser's region: for some people, `en` is `en-GB`.
  const locale = navigator.languages.find((wish) => wish.toLowerCase().split('-')[0] === language) ?? language
  return (time) => {
    const moment = new Date(time)
    const isToday = moment.toDateString() === new Date().toDateString()
    const day = isToday ? {} : ({ day: 'numeric', month: 'short' } as const)
    return moment.toLocaleString(locale, { hour: '2-digit', minute: '2-digit', ...day })
  }
}

/** Leaves the account and returns to where the support session started. */
function useLeaving() {
  const { config, session } = useApplication()
  const [busy, setBusy] = useState(false)
  const leave = async () => {
    setBusy(true)
    await session.leave()
    window.location.assign(dealerAddress(config))
  }
  return { busy, leave }
}

/** For support: whose account this is, whether video is visible, and a button to leave. */
function Inside({ session }: { session: OwnSupportSession }) {
  const t = useTranslation<LaterText>()
  const when = useWhen()
  const { client } = useApplication()
  const user = useQuery(accountQueries(client).user).data
  const { busy, leave } = useLeaving()
  const name = user === undefined ? '' : `${user.firstName} ${user.lastName}`
  return (
    <Banner mood="warning" action={{ label: t('Leave account'), busy, onPress: () => void leave() }}>
      <strong className="font-semibold">
        {t("You're in {name}'s account as support ({staff}).", { name, staff: session.staffName })}
      </strong>{' '}
      {t(session.video === 'shown' ? 'Video is visible.' : 'Video is hidden.')}
      {session.readOnly ? ` ${t('View only.')}` : ''} {t('Ends {time}.', { time: when(session.until) })}{' '}
      {t('The account owner can see what you do.')}
    </Banner>
  )
}

/** Each staff member once, and whether any of them sees video. */
function summaryOf(sessions: readonly SupportSession[]) {
  const people = new Map(sessions.map((session) => [session.staffId, session]))
  const since = sessions.map((session) => session.since).sort()[0] ?? ''
  return {
    names: [...people.values()].map(({ staffName, organisation }) => `${staffName} (${organisation})`).join(', '),
    since,
    seesVideo: sessions.some(({ video }) => video === 'shown'),
  }
}

/** For the owner: who is in the account, since when, whether they see video, and a button to end it. */
function Visited() {
  const t = useTranslation<LaterText>()
  const when = useWhen()
  const { client, name, queries, snackBar } = useApplication()
  const [busy, setBusy] = useState(false)
  const { queryKey, ...query } = supportSessionsQuery(client)
  const { data: sessions = [] } = useQuery({ queryKey, ...query })
  if (sessions.length === 0) return null
  const { names, since, seesVideo } = summaryOf(sessions)
  const end = async () => {
    setBusy(true)
    await client.call(deleteSupportSessions).then(
      () => snackBar.success(t('Support session ended. Support can start a new one while support access is allowed.')),
      (failure: unknown) => {
        if (!(failure instanceof ApiFailure)) throw failure
        if (!failure.sessionEnded) snackBar.error(t.message(failure.message))
      },
    )
    await queries.invalidateQueries({ queryKey })
    setBusy(false)
  }
  return (
    <Banner mood="brand" action={{ label: t('End session'), busy, onPress: () => void end() }}>
      <strong className="font-semibold">
        {t('Support has been in your account since {time}: {names}.', { time: when(since), names })}
      </strong>{' '}
      {t(seesVideo ? 'They can see video.' : "They can't see video.")}{' '}
      <a
        href="/app/audit-log?support=true"
        {...(name === 'cameraApp' ? { 'data-here': true } : {})}
        className="underline"
      >
        {t('Support activity')}
      </a>
    </Banner>
  )
}

/** For guests (specification §6 "demo user"). */
function DemoNotice() {
  const t = useTranslation<LaterText>()
  return (
    <Banner mood="brand">
      <strong className="font-semibold">{t("You're signed in as a demo user.")}</strong> {t('View only.')}
    </Banner>
  )
}

/** Tells both sides that a support session is active, for as long as it lasts. Also marks a demo account. */
export function SupportNotices() {
  const { client } = useApplication()
  // If this language can't be loaded, the banner is in English, because it must appear.
  const hasWords = useAllTexts()
  const own = useQuery({
    queryKey: supportSessionKey,
    queryFn: async ({ signal }) => (await client.call(getOwnSupportSession, {}, { signal })).supportSession,
    // A normal session never becomes a support session.
    refetchInterval: ({ state }) => ((state.data ?? null) === null ? false : ASK_EVERY_MS),
    staleTime: Number.POSITIVE_INFINITY,
  }).data
  const { data: member } = useOwnMember()
  if (!hasWords || own === undefined) return null
  if (own !== null) return <Inside session={own} />
  return (
    <>
      {member !== undefined && isDemoUser(member) ? <DemoNotice /> : null}
      {member?.isSuperUser === true ? <Visited /> : null}
    </>
  )
}
