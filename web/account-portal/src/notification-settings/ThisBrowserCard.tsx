import { Button, Card, Notice, Skeleton, SkeletonGroup } from '@sightline/kit'
import { type NotificationText, useNotificationText } from './text.ts'
import type { PushState, usePush } from './use-push.ts'

type Off = Extract<PushState, { kind: 'off' }>['why']

const reasons: Readonly<Record<Exclude<Off, 'possible'>, NotificationText>> = {
  blocked:
    'This browser blocks notifications from this site. Allow them in the site settings next to the address bar, then try again.',
  dismissed: "You haven't allowed notifications yet. Try again, and your browser will ask you.",
  embedded:
    "You can't turn on notifications here because this page is embedded in another one. Open your account in its own tab.",
  unsupported:
    "This browser doesn't support notifications. On an iPhone or iPad, add this site to your Home Screen and open it from there.",
  unreached: "Couldn't reach this browser's push service. Try again later.",
}
const hopeless: readonly Off[] = ['unsupported', 'embedded']

/** Whether this browser gets push messages, with a test. */
export function ThisBrowserCard({ push, readOnly }: { push: ReturnType<typeof usePush>; readOnly: boolean }) {
  const t = useNotificationText()
  const { state } = push
  return (
    <Card
      title={t('This browser')}
      description={t('You get notifications in every browser where you turn them on, even when this page is closed.')}
    >
      {state.kind === 'asking' ? (
        <SkeletonGroup>
          <Skeleton className="h-10 w-64 max-w-full" />
        </SkeletonGroup>
      ) : null}
      {state.kind === 'on' ? (
        <>
          <p className="mb-4 font-medium">{t('Notifications are on in this browser.')}</p>
          <div className="flex flex-wrap gap-3">
            <Button variant="secondary" disabled={readOnly} onClick={() => void push.tryIt(state.pushDeviceId)}>
              {t('Send test notification')}
            </Button>
            <Button variant="quiet" disabled={readOnly} onClick={() => void push.switchOff(state.pushDeviceId)}>
              {t('Turn off in this browser')}
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
          {t('Turn on in this browser')}
        </Button>
      )}
    </div>
  )
}
