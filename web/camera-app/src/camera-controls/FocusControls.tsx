import {
  FOCUS_SECONDS,
  type FocusActionBody,
  type FocusCapabilities,
  moveFocus,
} from '@sightline/contract/camera-focus'
import { Icon, type IconName } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useEffect, useRef } from 'react'
import { panelButton } from './Choices.tsx'
import { useText } from './text.ts'

/** Well before the lens stops on its own. */
const AGAIN_MS = (FOCUS_SECONDS * 1000) / 3
const SPEED = 0.5
const STEP = 0.5

interface FocusControlsProps {
  readonly cameraId: number
  readonly focus: FocusCapabilities
  readonly onFailure: (error: unknown) => void
}

function useFocus(cameraId: number, onFailure: FocusControlsProps['onFailure']) {
  const { client } = useApplication()
  const timer = useRef<ReturnType<typeof setInterval>>(undefined)
  const send = (body: FocusActionBody) =>
    client.call(moveFocus, { params: { cameraId }, body }).catch((error: unknown) => {
      clearInterval(timer.current)
      timer.current = undefined
      onFailure(error)
    })
  const stop = () => {
    if (timer.current === undefined) return
    clearInterval(timer.current)
    timer.current = undefined
    void send({ action: 'stop' })
  }
  // If the stop is lost, the server stops the lens a second after the last move.
  useEffect(() => () => clearInterval(timer.current), [])
  return {
    send,
    stop,
    hold(speed: number) {
      clearInterval(timer.current)
      timer.current = setInterval(() => void send({ action: 'move', speed }), AGAIN_MS)
      void send({ action: 'move', speed })
    },
  }
}

/** Moves the lens for as long as a button is held, by a step with the keyboard, or lets the camera focus itself. */
export function FocusControls({ cameraId, focus, onFailure }: FocusControlsProps) {
  const t = useText()
  const lens = useFocus(cameraId, onFailure)
  const button = (icon: IconName, label: string, sign: 1 | -1) => {
    const step = () =>
      void lens.send(
        focus.relative
          ? { action: 'step', distance: sign * STEP }
          : { action: 'move', speed: sign * SPEED, duration: 0.3 },
      )
    return (
      <button
        type="button"
        title={label}
        aria-label={label}
        className={`${panelButton} touch-none select-none`}
        onPointerDown={(event) => {
          if (!focus.continuous) return
          event.currentTarget.setPointerCapture(event.pointerId)
          lens.hold(sign * SPEED)
        }}
        onPointerUp={lens.stop}
        onLostPointerCapture={lens.stop}
        onContextMenu={(event) => event.preventDefault()}
        // A click without a pointer is one of the keyboard or a screen reader.
        onClick={(event) => (event.detail === 0 || !focus.continuous) && step()}
      >
        <Icon name={icon} />
      </button>
    )
  }
  return (
    <fieldset className="min-w-0">
      <legend className="px-1 text-xs text-white/80">{t('Focus')}</legend>
      <div className="flex flex-wrap gap-1">
        {focus.continuous || focus.relative ? (
          <>
            {button('minus', t('Focus nearer'), -1)}
            {button('plus', t('Focus farther'), 1)}
          </>
        ) : null}
        {focus.auto ? (
          <button
            type="button"
            className={`${panelButton} w-auto px-3`}
            onClick={() => void lens.send({ action: 'auto' })}
          >
            {t('Focus automatically')}
          </button>
        ) : null}
      </div>
    </fieldset>
  )
}
