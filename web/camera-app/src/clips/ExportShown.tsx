import type { Camera } from '@sightline/contract/cameras'
import { addExport } from '@sightline/contract/exports'
import { IconButton } from '@sightline/kit'
import type { FootagePlayer } from '@sightline/player'
import { useMay } from '@sightline/shell'
import { useState } from 'react'
import { DownloadClip } from './DownloadClip.tsx'
import { useText } from './text.ts'

interface ExportShownProps {
  cameras: readonly Camera[]
  timeZone: string
  /** Undefined while live. */
  player: FootagePlayer | undefined
}

/** A button that saves the footage of all cameras that are shown, around the time that is watched when it is clicked. */
export function ExportShown({ cameras, timeZone, player }: ExportShownProps) {
  const t = useText()
  const may = useMay()
  const [opened, setOpened] = useState<{ readonly number: number; readonly watched: number | undefined }>()
  const [isOpen, setIsOpen] = useState(false)
  if (may(addExport) !== true) return null
  const open = () => {
    setOpened((before) => ({ number: (before?.number ?? 0) + 1, watched: player?.state.time }))
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
          open={isOpen}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}
