import type { Camera } from '@sightline/contract/cameras'
import { addExport } from '@sightline/contract/exports'
import { IconButton } from '@sightline/kit'
import type { FootagePlayer } from '@sightline/player'
import { useMay } from '@sightline/shell'
import { useState } from 'react'
import type { ClipSpan } from './clip-span.ts'
import { DownloadClip } from './DownloadClip.tsx'
import { useText } from './text.ts'

interface ExportShownProps {
  cameras: readonly Camera[]
  timeZone: string
  /** Undefined while live. */
  player: FootagePlayer | undefined
  /** The range that is selected in the timeline. */
  marked: ClipSpan | undefined
}

/** What the dialog begins with, as it was when the button was clicked. */
interface Opened {
  readonly number: number
  readonly watched: number | undefined
  readonly marked: ClipSpan | undefined
}

/** A button that saves the footage of all cameras that are shown: of the selected range, else around the time that is watched when it is clicked. */
export function ExportShown({ cameras, timeZone, player, marked }: ExportShownProps) {
  const t = useText()
  const may = useMay()
  const [opened, setOpened] = useState<Opened>()
  const [isOpen, setIsOpen] = useState(false)
  if (may(addExport) !== true) return null
  const open = () => {
    setOpened((before) => ({ number: (before?.number ?? 0) + 1, watched: player?.state.time, marked }))
    setIsOpen(true)
  }
  return (
    <>
      <IconButton icon="download" label={t('Download footage')} onClick={open} />
      {opened === undefined ? null : (
        <DownloadClip
          key={opened.number}
          {...{ cameras, timeZone }}
          watched={opened.watched}
          marked={opened.marked}
          open={isOpen}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}
