import { deleteSession, type Session } from '@sightline/contract/sessions'
import { Badge, Button, Card, ConfirmDialog, Icon, Skeleton, SkeletonGroup } from '@sightline/kit'
import { Loaded, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMoment } from '../support-access/index.ts'
import { type DeviceGroup, groupByDevice } from './device-groups.ts'
import { sessionQueries } from './session-queries.ts'
import { useSessionsText } from './text.ts'
import { deviceIcon, useWords } from './words.ts'

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
      <Loaded asked={[asked]} place={<Loading />} failure={t("Couldn't load your active sessions")}>
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
  return (
    <div className="divide-y divide-border">
      {groupByDevice(sessions).map((group) => (
        <DeviceSection key={group.key} group={group} readOnly={readOnly} onEnd={onEnd} />
      ))}
    </div>
  )
}

/** A browser or app at one place, with its sessions. */
function DeviceSection({ group, ...rest }: { group: DeviceGroup } & Omit<ListProps, 'sessions'>) {
  const t = useSessionsText()
  const { titleOf, placeOf } = useWords()
  const [first] = group.sessions
  const title = titleOf(first)
  return (
    <section aria-label={title} className="flex gap-3 py-5 first:pt-0 last:pb-0">
      <span className="mt-0.5 text-muted">
        <Icon name={deviceIcon(first.device.kind)} />
      </span>
      <div className="min-w-0 flex-1">
        <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
          {title}
          {group.isCurrent ? <Badge mood="success">{t('This device')}</Badge> : null}
        </h3>
        <p className="text-muted wrap-anywhere">
          <bdi>{placeOf(first)}</bdi>
        </p>
        <ul className="mt-3 space-y-3">
          {group.sessions.map((session) => (
            <SessionLine key={session.sessionId} session={session} title={title} {...rest} />
          ))}
        </ul>
      </div>
    </section>
  )
}

interface SessionLineProps extends Omit<ListProps, 'sessions'> {
  session: Session
  /** Of the device. */
  title: string
}

function SessionLine({ session, title, readOnly, onEnd }: SessionLineProps) {
  const t = useSessionsText()
  const moment = useMoment()
  const { clientOf } = useWords()
  const client = clientOf(session)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 wrap-anywhere">
          {client}
          {session.current ? <span className="text-muted">{t('Current session')}</span> : null}
        </p>
        <p className="text-muted">
          {t('Signed in {since}, last active {seen}', {
            since: moment(session.begunAt),
            seen: moment(session.lastSeenAt),
          })}
        </p>
      </div>
      {session.current ? null : (
        <Button
          variant="secondary"
          disabled={readOnly}
          aria-label={`${t('Sign out')}: ${title}`}
          onClick={() => onEnd(session)}
        >
          {t('Sign out')}
        </Button>
      )}
    </li>
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
