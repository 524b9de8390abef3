import { type PictureView, useViewState } from '@sightline/player'
import { createPortal } from 'react-dom'
import type { MoveRepeater } from './move-repeater.ts'
import { pointInPicture } from './picture-point.ts'
import { useText } from './text.ts'

interface CenterLayerProps {
  readonly layer: HTMLElement
  readonly view: PictureView | undefined
  readonly repeater: MoveRepeater
}

/** Over the picture: a click there becomes the middle of the picture. */
export function CenterLayer({ layer, view, repeater }: CenterLayerProps) {
  const t = useText()
  const width = useViewState(view, (state) => state.width)
  const height = useViewState(view, (state) => state.height)
  return createPortal(
    <button
      type="button"
      tabIndex={-1}
      aria-label={t('Click the picture to center it there')}
      title={t('Click the picture to center it there')}
      className="pointer-events-auto absolute inset-0 cursor-crosshair"
      onClick={(event) => {
        if (event.detail === 0 || width === undefined || height === undefined) return
        const box = event.currentTarget.getBoundingClientRect()
        const at = { x: event.clientX - box.left, y: event.clientY - box.top }
        const point = pointInPicture(at, box, { width, height })
        if (point !== undefined) void repeater.once({ action: 'center', ...point })
      }}
    />,
    layer,
  )
}
