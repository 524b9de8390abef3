import { deleteSupportSession, type SupportSession } from '@sightline/contract/support-sessions'
import { Button, Card, ConfirmDialog, Skeleton, SkeletonGroup } from '@sightline/kit'
import { Loaded, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMoment } from './moments.ts'
import { supportQueries } from './support-queries.ts'
import { useSupportText } from './text.ts'

/** The active support sessions, with a way to end each one. */
export function InsideCard() {
  const { client } = useApplication()
  const t = useSupportText()
  const asked = useQuery(supportQueries(client).sessions)
  const [leaving, setLeaving] = useState<SupportSession>()
  return (
    <Card title={t('Active support sessions')}>
      <Loaded asked={[asked]} place={<Loading />}>
        {(sessions) => <Visits sessions={sessions} onEnd={setLeaving} />}
      </Loaded>
      <Ending session={leaving} onClose={() => setLeaving(undefined)} />
    </Card>
  )
}

const Loading = () => (
  <SkeletonGroup>
    <Skeleton className="h-5 w-72 max-w-full" />
  </SkeletonGroup>
)

function Visits({ sessions, onEnd }: { sessions: readonly SupportSession[]; onEnd: (one: SupportSession) => void }) {
  const t = useSupportText()
  const moment = useMoment()
  if (sessions.length === 0) return <p className="text-muted">{t('No support session is active.')}</p>
  return (
    <ul className="divide-y divide-border">
      {sessions.map((one) => (
        <li key={one.tokenId} className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0">
          <div className="min-w-0">
            <p className="font-medium wrap-anywhere">
              {one.staffName} <span className="font-normal text-muted">({one.organisation})</span>
            </p>
            <p className="text-muted">
              {t('Started {since}, ends {until} at the latest.', {
                since: moment(one.since),
                until: moment(one.until),
              })}{' '}
              {t(one.video === 'shown' ? 'Can see video.' : "Can't see video.")}
              {one.readOnly ? ` ${t('View only.')}` : ''}
            </p>
          </div>
          <Button variant="secondary" aria-label={`${t('End session')}: ${one.staffName}`} onClick={() => onEnd(one)}>
            {t('End session')}
          </Button>
        </li>
      ))}
    </ul>
  )
}

function Ending({ session, onClose }: { session: SupportSession | undefined; onClose: () => void }) {
  const { client, queries } = useApplication()
  const t = useSupportText()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const end = async (tokenId: number) => {
    setBusy(true)
    await save(() => client.call(deleteSupportSession, { params: { tokenId } }), {
      success: t('Support session with {name} ended', { name: session?.staffName ?? '' }),
    })
    await queries.invalidateQueries({ queryKey: supportQueries(client).sessions.queryKey })
    setBusy(false)
    onClose()
  }
  return (
    <ConfirmDialog
      open={session !== undefined}
      title={t('End this support session?')}
      confirm={t('End session')}
      danger
      busy={busy}
      onClose={onClose}
      onConfirm={() => {
        if (session !== undefined) void end(session.tokenId)
      }}
    >
      {t(
        '{name} will be signed out of your account immediately, and video will stop within 2 seconds. Support can start a new session while support access is allowed.',
        {
          name: session?.staffName ?? '',
        },
      )}
    </ConfirmDialog>
  )
}
