import type { Camera } from '@sightline/contract/cameras'
import { addShare } from '@sightline/contract/shares'
import { Button, Icon } from '@sightline/kit'
import { useMay } from '@sightline/shell'
import type { ClipSpan } from '../clips/index.ts'
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
      <Button
        variant="secondary"
        aria-label={t('Share footage')}
        title={t('Share footage')}
        onClick={open}
        className="px-3! max-sm:px-2!"
      >
        <Icon name="link" />
        <span className="max-sm:sr-only">{t('Share')}</span>
      </Button>
      {opened === undefined ? null : (
        <ShareFootage key={opened.number} camera={camera} {...range} open={opened.isOpen} onClose={close} />
      )}
    </>
  )
}
