import { Icon } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react'
import { useNow } from '../clock.ts'
import { useKeys } from '../use-keys.ts'
import type { TalkState } from './talk-session.ts'
import { type Text, useText } from './text.ts'
import { type Talk, useTalk } from './use-talk.ts'

interface TalkButtonProps {
  /** The style of buttons over the picture. */
  toolClass: string
  cameraId: number
  cameraName: string
  /** Someone talks through this camera: this user, or another one. */
  isBusy: boolean
  /** While the user talks, the camera is heard less. */
  onTalking: (isTalking: boolean) => void
}

/** Who presses longer talks as long as they press; who taps talks until they tap again. */
const TAP_MS = 400

const faults: Readonly<Record<Extract<TalkState, { kind: 'ended' }>['why'], Text>> = {
  insecure: 'Talking needs a secure connection. Open this page over HTTPS.',
  denied: 'This page may not use your microphone. Allow it in the address bar of your browser, then try again.',
  missing: 'No microphone was found. Connect one, then try again.',
  broken: 'The microphone couldn’t be opened. Another program may be using it.',
  busy: 'Someone else is talking through this camera. Try again when they’re done.',
  noLoudspeaker: 'This camera has no loudspeaker that Sightline can use.',
  speakerOff: 'The loudspeaker of this camera is turned off in its settings.',
  credentialsIncorrect: 'The camera refused its password. Check it in the camera’s settings.',
  rejected: 'The camera couldn’t open its loudspeaker. Try again.',
  cameraOffline: 'The camera is offline, or private.',
  timedOut: 'The camera didn’t answer in time. Try again.',
  notAllowed: 'You don’t have permission to talk through this camera. Ask the account owner.',
  timeOver: 'You can talk for five minutes at a time. Press the button to talk again.',
  ended: 'The camera closed its loudspeaker. Try again.',
  unreachable: 'The connection was lost. Try again.',
}

/** Talks through the loudspeaker of the selected camera. */
export function TalkButton({ toolClass, cameraId, cameraName, isBusy, onTalking }: TalkButtonProps) {
  const t = useText()
  const talk = useTalk(cameraId)
  const { state } = talk
  const isOn = state.kind === 'opening' || state.kind === 'talking'
  const isTalking = state.kind === 'talking'
  useFaults(state)
  useEffect(() => {
    onTalking(isTalking)
    return () => onTalking(false)
  }, [onTalking, isTalking])
  const press = usePress(talk, isOn)
  const toggle = () => (isOn ? talk.stop() : talk.start())
  useKeys({ t: (event) => event.repeat || toggle() })
  const label = t(isOn ? 'Stop talking' : 'Talk')
  const isTaken = isBusy && !isOn
  return (
    <span className="flex items-center">
      <button
        type="button"
        title={isTaken ? t('Someone is talking') : label}
        aria-label={label}
        aria-pressed={isOn}
        data-talk={state.kind}
        {...press}
        className={`${toolClass} touch-none select-none ${isTalking ? 'bg-danger! text-on-danger!' : ''} ${state.kind === 'opening' ? 'animate-pulse' : ''}`}
      >
        <Icon name="microphone" />
      </button>
      {state.kind === 'talking' ? <Talking state={state} cameraName={cameraName} /> : null}
      {state.kind === 'opening' ? (
        <span role="status" className="me-2 text-sm text-white max-sm:sr-only">
          {t('Connecting')}
        </span>
      ) : null}
    </span>
  )
}

/** Says in a few words why a talk ended. */
function useFaults(state: TalkState): void {
  const t = useText()
  const { snackBar } = useApplication()
  const why = state.kind === 'ended' ? state.why : undefined
  const said = useRef<TalkState>(undefined)
  useEffect(() => {
    if (why === undefined || said.current === state) return
    said.current = state
    if (why === 'timeOver') snackBar.info(t(faults[why]))
    else snackBar.error(t(faults[why]))
  }, [why, state, snackBar, t])
}

/** Pressing, holding and tapping, with any pointer or the keyboard. */
function usePress(talk: Talk, isOn: boolean) {
  const pressed = useRef<{ readonly at: number; readonly isStart: boolean }>(undefined)
  const isHandled = useRef(false)
  const release = () => {
    const press = pressed.current
    pressed.current = undefined
    if (press === undefined) return
    const isHeld = performance.now() - press.at > TAP_MS
    if (!press.isStart || isHeld) talk.stop()
  }
  const begin = () => {
    isHandled.current = true
    pressed.current = { at: performance.now(), isStart: !isOn }
    if (!isOn) talk.start()
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return
      // A finger that slides off the button still holds it.
      event.currentTarget.setPointerCapture(event.pointerId)
      begin()
    },
    onPointerUp: release,
    onPointerCancel: release,
    onKeyDown: (event: KeyboardEvent) => {
      if ((event.key !== ' ' && event.key !== 'Enter') || event.repeat) return
      event.preventDefault()
      begin()
    },
    onKeyUp: (event: KeyboardEvent) => {
      if (event.key === ' ' || event.key === 'Enter') release()
    },
    onClick: () => {
      // Screen readers click without pressing.
      if (!isHandled.current) (isOn ? talk.stop : talk.start)()
      isHandled.current = false
    },
  }
}

function Talking({ state, cameraName }: { state: Extract<TalkState, { kind: 'talking' }>; cameraName: string }) {
  const t = useText()
  const left = Math.max(0, Math.ceil((state.until - useNow()) / 1000))
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  return (
    <>
      <span role="status" className="sr-only">
        {t('You’re talking through {camera}', { camera: cameraName })}
      </span>
      {/* On a phone there is no room for it between the buttons. */}
      <span className="flex items-center max-sm:absolute max-sm:start-0 max-sm:bottom-full max-sm:mb-1 max-sm:rounded-md max-sm:bg-black/70 max-sm:p-1">
        <span
          aria-hidden="true"
          className="ms-1 h-5 w-1.5 overflow-hidden rounded-full bg-white/25"
          data-level={state.level.toFixed(2)}
        >
          <span
            className="block h-full origin-bottom bg-white"
            style={{ transform: `scaleY(${Math.sqrt(state.level)})` }}
          />
        </span>
        <span className="mx-2 text-sm text-white tabular-nums" title={t('Time left')}>
          {time}
        </span>
      </span>
    </>
  )
}
