import type { Camera } from '@sightline/contract/cameras'
import { addShare } from '@sightline/contract/shares'
import { useMay } from '@sightline/shell'
import type { ClipSpan } from '../clips/index.ts'
import { FootageButton } from '../FootageButton.tsx'
import { useFreshDialog } from '../use-fresh-dialog.ts'
import { ShareFootage } from './ShareFootage.tsx'
import { useText } from './text.ts'

interface ShareShownProps {
  camera: Camera
  timeZone: string
  /** The time of the picture; undefined: live. */
  watched: number | undefined
  /** The range that is selected in the timeline. */
  marked?: ClipSpan | undefined
}

/** A button that shares footage of a camera; each time its dialog opens, it begins with what is watched or selected then. */
export function ShareShown({ camera, ...range }: ShareShownProps) {
  const t = useText()
  const may = useMay()
  const { opened, open, close } = useFreshDialog()
  if (may(addShare) !== true) return null
  return (
    <>
      <FootageButton icon="link" label={t('Share footage')} text={t('Share')} onClick={open} />
      {opened === undefined ? null : (
        <ShareFootage key={opened.number} camera={camera} {...range} open={opened.isOpen} onClose={close} />
      )}
    </>
  )
}
