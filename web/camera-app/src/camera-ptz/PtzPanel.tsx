import { moveCamera, type PtzCapabilities } from '@sightline/contract/camera-ptz'
import { Icon, Status } from '@sightline/kit'
import type { PictureView } from '@sightline/player'
import { useApplication } from '@sightline/shell'
import { useEffect, useMemo, useState } from 'react'
import { CenterLayer } from './CenterLayer.tsx'
import { HoldButton, panelButton } from './HoldButton.tsx'
import { Joystick } from './Joystick.tsx'
import { MoveRepeater } from './move-repeater.ts'
import { Presets } from './Presets.tsx'
import { ptzFailure } from './ptz-failures.ts'
import { type Text, useText } from './text.ts'
import { useMoveKeys } from './use-move-keys.ts'

export interface PtzPanelProps {
  readonly cameraId: number
  readonly capabilities: PtzCapabilities
  readonly view: PictureView | undefined
  /** Over the picture, for clicks on it. */
  readonly layer: HTMLElement | null
}

const ZOOM_SPEED = 0.5
const FAILURE_SHOWN_MS = 6000

function useRepeater(cameraId: number) {
  const { client } = useApplication()
  const [failure, setFailure] = useState<Text>()
  const repeater = useMemo(
    () =>
      new MoveRepeater(
        (body) => client.call(moveCamera, { params: { cameraId }, body }),
        (error) => setFailure(ptzFailure(error)),
      ),
    [client, cameraId],
  )
  useEffect(() => () => repeater.stop(), [repeater])
  useEffect(() => {
    if (failure === undefined) return undefined
    const timer = setTimeout(() => setFailure(undefined), FAILURE_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [failure])
  return { repeater, failure }
}

/** Turns and zooms a camera: joystick, buttons, saved views. It also listens to the arrow keys. */
export function PtzPanel({ cameraId, capabilities, view, layer }: PtzPanelProps) {
  const t = useText()
  const { repeater, failure } = useRepeater(cameraId)
  const [isCentering, setCentering] = useState(false)
  const [withPresets, showPresets] = useState(false)
  useMoveKeys(repeater)
  const toggles = [
    ...(capabilities.center
      ? [{ icon: 'crosshair', label: 'Center on click', on: isCentering, set: setCentering } as const]
      : []),
    ...(capabilities.presets > 0
      ? [{ icon: 'bookmark', label: 'Saved views', on: withPresets, set: showPresets } as const]
      : []),
  ]
  return (
    <section
      aria-label={t('Move camera')}
      className="flex flex-col gap-2 rounded-lg bg-black/80 p-2 text-sm text-white max-sm:w-full"
    >
      <div className="flex flex-wrap items-center gap-2 max-sm:justify-center">
        {capabilities.panTilt ? <Joystick repeater={repeater} /> : null}
        <div className="grid grid-cols-2 gap-1">
          {capabilities.zoom ? (
            <>
              <HoldButton icon="plus" label={t('Zoom in')} velocity={{ zoom: ZOOM_SPEED }} repeater={repeater} />
              <HoldButton icon="minus" label={t('Zoom out')} velocity={{ zoom: -ZOOM_SPEED }} repeater={repeater} />
            </>
          ) : null}
          {capabilities.home ? (
            <button
              type="button"
              title={t('Home position')}
              aria-label={t('Home position')}
              className={panelButton}
              onClick={() => void repeater.once({ action: 'home' })}
            >
              <Icon name="house" />
            </button>
          ) : null}
          {toggles.map(({ icon, label, on, set }) => (
            <button
              key={icon}
              type="button"
              title={t(label)}
              aria-label={t(label)}
              aria-pressed={on}
              className={panelButton}
              onClick={() => set(!on)}
            >
              <Icon name={icon} />
            </button>
          ))}
        </div>
        {withPresets ? <Presets cameraId={cameraId} repeater={repeater} /> : null}
      </div>
      {isCentering && layer !== null ? <CenterLayer layer={layer} view={view} repeater={repeater} /> : null}
      <Status className={failure === undefined ? 'sr-only' : 'max-w-56 px-1 pb-1 text-xs'}>
        {failure === undefined ? '' : t(failure)}
      </Status>
    </section>
  )
}
