import { deleteSession, type Session } from '@sightline/contract/sessions'
import { Badge, Button, Card, ConfirmDialog, Icon, Skeleton, SkeletonGroup } from '@sightline/kit'
import { Loaded, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMoment } from '../support-access/index.ts'
import { sessionQueries } from './session-queries.ts'
import { useSessionsText } from './text.ts'
import { iconOf, useWords } from './words.ts'

/** The user's sessions, with a way to end them remotely. */
export function SessionsCard({ readOnly }: { readOnly: boolean }) {
  const { client } = useApplication()
  const t = useSessionsText()
  const asked = useQuery(sessionQueries(client).sessions)
  const [ending, end] = useState<Session | 'others'>()
  const others = asked.data?.filter(({ current }) => !current) ?? []
  return (
    <Card
      title={t('Active sessions')}
      description={t('Browsers and apps that are signed in to your account.')}
      {...(others.length > 0
        ? {
            footer: (
              <Button variant="secondary" disabled={readOnly} onClick={() => end('others')}>
                {t('Sign out everywhere else')}
              </Button>
            ),
          }
        : {})}
    >
      <Loaded asked={[asked]} place={<Loading />}>
        {(sessions) => <List sessions={sessions} readOnly={readOnly} onEnd={end} />}
      </Loaded>
      <Ending what={ending} onClose={() => end(undefined)} />
    </Card>
  )
}

const Loading = () => (
  <SkeletonGroup className="space-y-4">
    <Skeleton className="h-11 w-full" />
    <Skeleton className="h-11 w-full" />
  </SkeletonGroup>
)

interface ListProps {
  sessions: readonly Session[]
  readOnly: boolean
  onEnd: (session: Session) => void
}

function List({ sessions, readOnly, onEnd }: ListProps) {
  const t = useSessionsText()
  const { titleOf } = useWords()
  return (
    <ul className="divide-y divide-border">
      {sessions.map((session) => (
        <li key={session.sessionId} className="flex flex-wrap items-center gap-3 py-4 first:pt-0 last:pb-0">
          <Facts session={session} />
          {session.current ? null : (
            <Button
              variant="secondary"
              disabled={readOnly}
              aria-label={`${t('Sign out')}: ${titleOf(session)}`}
              onClick={() => onEnd(session)}
            >
              {t('Sign out')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

function Facts({ session }: { session: Session }) {
  const t = useSessionsText()
  const moment = useMoment()
  const { titleOf, placeOf, clientOf } = useWords()
  const client = clientOf(session)
  return (
    <div className="flex min-w-0 flex-1 basis-64 gap-3">
      <span className="mt-0.5 text-muted">
        <Icon name={iconOf(session.device.kind)} />
      </span>
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
          {titleOf(session)}
          {session.current ? <Badge mood="success">{t('Current session')}</Badge> : null}
        </p>
        <p className="text-muted wrap-anywhere">
          <bdi>{[client ?? '', placeOf(session)].filter((text) => text !== '').join(' · ')}</bdi>
        </p>
        <p className="text-muted">
          {t('Signed in {since}, last active {seen}', {
            since: moment(session.begunAt),
            seen: moment(session.lastSeenAt),
          })}
        </p>
      </div>
    </div>
  )
}

function Ending({ what, onClose }: { what: Session | 'others' | undefined; onClose: () => void }) {
  const { client, queries } = useApplication()
  const t = useSessionsText()
  const save = useSave()
  const { titleOf } = useWords()
  const [busy, setBusy] = useState(false)
  const isAll = what === 'others'
  const end = async () => {
    if (what === undefined) return
    setBusy(true)
    const sessionId = isAll ? ('others' as const) : what.sessionId
    await save(() => client.call(deleteSession, { params: { sessionId } }), {
      success: t(isAll ? 'Signed out everywhere else' : 'Session signed out'),
      // The session has ended meanwhile.
      messages: { 4: t('This session was already signed out') },
    })
    await queries.invalidateQueries({ queryKey: sessionQueries(client).sessions.queryKey })
    setBusy(false)
    onClose()
  }
  return (
    <ConfirmDialog
      open={what !== undefined}
      title={isAll ? t('Sign out everywhere else?') : t('Sign out this session?')}
      confirm={isAll ? t('Sign out everywhere else') : t('Sign out')}
      danger
      busy={busy}
      onClose={onClose}
      onConfirm={() => void end()}
    >
      {what === undefined || isAll ? null : <p className="font-medium">{titleOf(what)}</p>}
      <p>{t("Open pages and live video will close within seconds. You'll need to sign in there again.")}</p>
    </ConfirmDialog>
  )
}
