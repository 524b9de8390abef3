import { ApiFailure } from '@sightline/client'
import {
  deletePushDevice,
  getPushSettings,
  putPushDevice,
  testPushDevice,
  type WebPushSubscription,
} from '@sightline/contract/push-devices'
import { useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type PushPossibility,
  presentSubscription,
  pushPossibility,
  subscribe,
  unsubscribe,
} from './push-in-browser.ts'
import { useNotificationText } from './text.ts'

/** The push state of this browser. `unreached`: its push service didn't respond. */
export type PushState =
  | { readonly kind: 'asking' }
  | { readonly kind: 'off'; readonly why: PushPossibility | 'dismissed' | 'unreached' }
  | { readonly kind: 'on'; readonly pushDeviceId: number }

const KEY = ['push in this browser']

/**
 * Push messages in this browser: their state, turning them on and off, and a test. `isWanted` comes from the settings.
 */
export function usePush({ isWanted, readOnly }: { readonly isWanted: boolean; readonly readOnly: boolean }) {
  const { client, queries, languages } = useApplication()
  const t = useNotificationText()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const register = async (subscription: WebPushSubscription): Promise<PushState> => {
    const body = { platform: 'web' as const, locale: languages.current(), subscription }
    const { pushDeviceId } = await client.call(putPushDevice, { body })
    return { kind: 'on', pushDeviceId }
  }
  const { data: state = { kind: 'asking' } satisfies PushState } = useQuery<PushState>({
    queryKey: KEY,
    // Registering again confirms that the browser still exists, and takes it over from a previous user.
    async queryFn() {
      const present = isWanted && !readOnly ? await presentSubscription().catch(() => undefined) : undefined
      return present === undefined ? { kind: 'off', why: pushPossibility() } : register(present)
    },
    enabled: isWanted,
    retry: false,
  })
  const show = (next: PushState) => queries.setQueryData(KEY, next)

  const tryIt = async (pushDeviceId: number) => {
    const outcome = await save(() => client.call(testPushDevice, { params: { pushDeviceId } }), {
      success: t('Test notification sent'),
      messages: {
        16: t('Wait a few seconds before you send another test.'),
        20: t("This browser's push service didn't accept the notification. Try again later."),
      },
    })
    // The browser no longer receives messages.
    if ('failure' in outcome && outcome.failure.code === 4) show({ kind: 'off', why: 'possible' })
  }

  /** False if this browser doesn't receive messages now. */
  const switchOn = async (): Promise<boolean> => {
    setBusy(true)
    const next = await switchedOn().finally(() => setBusy(false))
    show(next)
    if (next.kind !== 'on') return false
    await tryIt(next.pushDeviceId)
    return true
  }

  const switchedOn = async (): Promise<PushState> => {
    const possibility = pushPossibility()
    if (possibility !== 'possible') return { kind: 'off', why: possibility }
    try {
      const { applicationServerKey } = await client.call(getPushSettings, {})
      const subscription = await subscribe(applicationServerKey)
      if (subscription !== undefined) return await register(subscription)
      return { kind: 'off', why: pushPossibility() === 'blocked' ? 'blocked' : 'dismissed' }
    } catch (failure) {
      if (failure instanceof ApiFailure && failure.sessionEnded) return { kind: 'asking' }
      return { kind: 'off', why: 'unreached' }
    }
  }

  const switchOff = async (pushDeviceId: number) => {
    const outcome = await save(() => client.call(deletePushDevice, { params: { pushDeviceId } }), {
      success: t('Notifications are off in this browser'),
    })
    if ('failure' in outcome && outcome.failure.code !== 4) return
    await unsubscribe().catch(() => undefined)
    show({ kind: 'off', why: 'possible' })
  }

  return { state, busy, switchOn, switchOff, tryIt }
}
