import { deleteShare, type FootageShare } from '@sightline/contract/shares'
import { Badge, Button, ConfirmDialog, Dialog, EmptyState, Notice, Skeleton, SkeletonGroup } from '@sightline/kit'
import { LoadFailed, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import { cameraQueries } from '../cameras/index.ts'
import { sharesQuery, shareViewsQuery } from './share-queries.ts'
import { useText } from './text.ts'

/** All shared links that the user may see, newest first. */
export function ShareList() {
  const t = useText()
  const { client } = useApplication()
  const { data, error, refetch } = useQuery(sharesQuery(client))
  const cameras = useQuery(cameraQueries(client).list).data
  if (data === undefined) {
    if (error !== null) return <LoadFailed error={error} reset={() => void refetch()} />
    return (
      <SkeletonGroup className="space-y-4 py-4">
        <Skeleton className="h-20" />
      </SkeletonGroup>
    )
  }
  if (data.length === 0) {
    return (
      <EmptyState icon="link" title={t('No shared links')}>
        {t('Open a camera, find the moment, and choose “Share”.')}
      </EmptyState>
    )
  }
  const titleOf = ({ name, cameraId }: FootageShare) =>
    name === '' ? (cameras?.find((one) => one.cameraId === cameraId)?.name ?? t('Camera {id}', { id: cameraId })) : name
  return (
    <ul aria-label={t('Shared links')} className="divide-y divide-border">
      {data.map((share) => (
        <ShareItem key={share.shareId} share={share} title={titleOf(share)} />
      ))}
    </ul>
  )
}

interface ShareItemProps {
  share: FootageShare
  title: string
}

function ShareItem({ share, title }: ShareItemProps) {
  const t = useText()
  const { span, shortly } = useMoments()
  const [dialog, setDialog] = useState<'views' | 'end'>()
  const close = () => setDialog(undefined)
  const opened =
    share.views === 0
      ? t('Not opened yet')
      : t('{views, plural, one {Opened # time} other {Opened # times}}', { views: share.views })
  const facts = [
    share.public ? t('Anyone with the link') : t('People in this account'),
    ...(share.hasPassword ? [t('with a password')] : []),
    ...(share.hasSound === false ? [t('without sound')] : []),
  ]
  return (
    <li className="space-y-2 py-4" data-share={share.shareId}>
      <div className="flex items-start justify-between gap-3">
        <h3 className="min-w-0 font-medium wrap-anywhere">{title}</h3>
        {share.status === 'Ready' ? null : (
          <Badge mood={share.status === 'Failed' ? 'danger' : 'neutral'}>
            {share.status === 'Failed' ? t('Failed') : t('Preparing')}
          </Badge>
        )}
      </div>
      <p className="text-muted">
        {span(share.from, share.till)}
        <span className="block">{facts.join(' · ')}</span>
        <span className="block">{t('Expires {time}', { time: shortly(share.expiresAt) })}</span>
      </p>
      {share.status === 'Failed' ? (
        <Notice mood="danger">{t('The footage couldn’t be copied. End this link and create a new one.')}</Notice>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" aria-label={`${opened}: ${title}`} onClick={() => setDialog('views')}>
          {opened}
        </Button>
        <Button variant="quiet" aria-label={`${t('End link')}: ${title}`} onClick={() => setDialog('end')}>
          {t('End link')}
        </Button>
      </div>
      <ShareViews {...{ share, title }} open={dialog === 'views'} onClose={close} />
      <EndShare {...{ share, title }} open={dialog === 'end'} onClose={close} />
    </li>
  )
}

interface ShareDialogProps extends ShareItemProps {
  open: boolean
  onClose: () => void
}

function ShareViews({ share, title, open, onClose }: ShareDialogProps) {
  const t = useText()
  const { client } = useApplication()
  const { when } = useMoments()
  const { data } = useQuery({ ...shareViewsQuery(client, share.shareId), enabled: open })
  return (
    <Dialog open={open} onClose={onClose} title={t('Views of “{title}”', { title })}>
      {data === undefined ? (
        <SkeletonGroup>
          <Skeleton className="h-20" />
        </SkeletonGroup>
      ) : (
        <ul className="divide-y divide-border">
          {data.views.length === 0 ? <li className="py-2 text-muted">{t('No one has opened it yet.')}</li> : null}
          {data.views.map(({ viewedAt, address, userId }) => (
            <li key={`${viewedAt} ${address}`} className="py-2">
              {when(viewedAt)}
              <span className="block text-muted">
                {userId === null
                  ? t('Someone at {address}', { address })
                  : t('Signed-in user at {address}', { address })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function EndShare({ share, title, open, onClose }: ShareDialogProps) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const [isBusy, setBusy] = useState(false)
  const end = async () => {
    setBusy(true)
    const done = await save(() => client.call(deleteShare, { params: { shareId: share.shareId } }), {
      success: t('Link ended'),
      messages: { 4: t('This link has already ended.') },
    })
    setBusy(false)
    await queries.invalidateQueries({ queryKey: sharesQuery(client).queryKey })
    if ('saved' in done) onClose()
  }
  return (
    <ConfirmDialog
      {...{ open, onClose }}
      title={t('End this link?')}
      confirm={t('End link')}
      cancel={t('Keep it')}
      danger
      busy={isBusy}
      onConfirm={() => void end()}
    >
      <p className="font-medium wrap-anywhere">{title}</p>
      <p>
        {t(
          'It stops working right away, even for people who are watching. The copy of the footage is deleted; the recording stays.',
        )}
      </p>
    </ConfirmDialog>
  )
}
