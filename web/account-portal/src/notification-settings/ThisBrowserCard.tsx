import { Button, Card, Notice, Skeleton, SkeletonGroup } from '@sightline/kit'
import { type NotificationText, useNotificationText } from './text.ts'
import type { PushState, usePush } from './use-push.ts'

type Off = Extract<PushState, { kind: 'off' }>['why']

const reasons: Readonly<Record<Exclude<Off, 'possible'>, NotificationText>> = {
  blocked:
    'This browser blocks messages from this site. Allow notifications in the site settings beside the address, then try again.',
  dismissed: 'You have not allowed messages yet. The browser asks again when you try again.',
  embedded: 'Inside another page no messages can be switched on. Open your account in a tab of its own.',
  unsupported:
    'This browser cannot receive messages. On an iPhone or iPad, add this site to the home screen and open it there.',
  unreached: 'This browser could not reach its push service. Please try again later.',
}
const hopeless: readonly Off[] = ['unsupported', 'embedded']

/** Whether messages come to this browser, and trying it. */
export function ThisBrowserCard({ push, readOnly }: { push: ReturnType<typeof usePush>; readOnly: boolean }) {
  const t = useNotificationText()
  const { state } = push
  return (
    <Card
      title={t('This browser')}
      description={t('Messages come to each browser in which you switch them on, also while no page of ours is open.')}
    >
      {state.kind === 'asking' ? (
        <SkeletonGroup>
          <Skeleton className="h-10 w-64 max-w-full" />
        </SkeletonGroup>
      ) : null}
      {state.kind === 'on' ? (
        <>
          <p className="mb-4 font-medium">{t('This browser receives messages.')}</p>
          <div className="flex flex-wrap gap-3">
            <Button variant="secondary" disabled={readOnly} onClick={() => void push.tryIt(state.pushDeviceId)}>
              {t('Send a test message')}
            </Button>
            <Button variant="quiet" disabled={readOnly} onClick={() => void push.switchOff(state.pushDeviceId)}>
              {t('Stop in this browser')}
            </Button>
          </div>
        </>
      ) : null}
      {state.kind === 'off' ? <Off push={push} why={state.why} readOnly={readOnly} /> : null}
    </Card>
  )
}

function Off({ push, why, readOnly }: { push: ReturnType<typeof usePush>; why: Off; readOnly: boolean }) {
  const t = useNotificationText()
  return (
    <div className="space-y-4">
      {why === 'possible' ? null : <Notice mood="warning">{t(reasons[why])}</Notice>}
      {hopeless.includes(why) ? null : (
        <Button variant="secondary" busy={push.busy} disabled={readOnly} onClick={() => void push.switchOn()}>
          {t('Receive messages in this browser')}
        </Button>
      )}
    </div>
  )
}
