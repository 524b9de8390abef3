import type { PictureView } from '@sightline/player'
import { lazy, Suspense } from 'react'
import { ControlsPanel, type QuickControls } from '../camera-controls/index.ts'
import type { Translate } from '../text.ts'
import type { StageTool } from './StageTools.tsx'
import type { PtzOffer } from './use-ptz.ts'

// Few cameras can be moved, so this loads on demand.
const PtzPanel = lazy(() => import('../camera-ptz/index.ts').then((module) => ({ default: module.PtzPanel })))

/** The buttons that open the panels, where this user may control the selected camera and it can be controlled. */
export const panelTools = (
  { ptz, controls }: { readonly ptz: PtzOffer; readonly controls: QuickControls },
  t: Translate,
): readonly StageTool[] => [
  ...(ptz.capabilities === undefined
    ? []
    : [{ icon: 'move', label: t('Move camera'), pressed: ptz.isOpen, onPress: ptz.toggle } as const]),
  ...(controls.offer === undefined
    ? []
    : [{ icon: 'sun', label: t('Camera controls'), pressed: controls.isOpen, onPress: controls.toggle } as const]),
]

export interface CameraPanelsProps {
  cameraId: number
  controls: QuickControls
  ptz: PtzOffer
  view: PictureView | undefined
  /** Over the picture of the camera, for clicks on it. */
  layer: HTMLElement | null
  isBelow: boolean
}

/** What moves and sets the selected camera, if it is open and has its place here. */
export function CameraPanels({ cameraId, controls, ptz, view, layer, isBelow }: CameraPanelsProps) {
  if (ptz.isBelow !== isBelow) return null
  return (
    <>
      {controls.isOpen && controls.offer !== undefined ? (
        <Suspense fallback={null}>
          <ControlsPanel key={cameraId} cameraId={cameraId} offer={controls.offer} />
        </Suspense>
      ) : null}
      {ptz.isOpen && ptz.capabilities !== undefined ? (
        <Suspense fallback={null}>
          <PtzPanel key={cameraId} {...{ cameraId, view, layer }} capabilities={ptz.capabilities} />
        </Suspense>
      ) : null}
    </>
  )
}
