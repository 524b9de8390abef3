import type { Camera } from '@sightline/contract/cameras'
import { addExport } from '@sightline/contract/exports'
import { streamRules } from '@sightline/contract/streams'
import { useMay } from '@sightline/shell'
import { lazy, Suspense } from 'react'
import type { ClipSpan } from '../clips/index.ts'
import { FootageButton } from '../FootageButton.tsx'
import { useText } from '../text.ts'
import { useFreshDialog } from '../use-fresh-dialog.ts'

const DownloadClip = lazy(() => import('../clips/index.ts').then((module) => ({ default: module.DownloadClip })))

const ShareShown = lazy(() => import('../shares/index.ts').then((module) => ({ default: module.ShareShown })))

const FootageMenu = lazy(() => import('../footage-ranges/index.ts').then((module) => ({ default: module.FootageMenu })))

interface FootageToolsProps {
  /** On the stage. */
  cameras: readonly Camera[]
  timeZone: string
  /** The time of the picture; undefined: live. */
  watched: number | undefined
  /** The range that is selected in the timeline. */
  marked: ClipSpan | undefined
  /** Plays the footage of a time, in milliseconds since 1970. */
  goTo: (time: number) => void
}

/** A button that opens the dialog; each time it opens, it begins with what is watched or selected then. */
function Download({ cameras, timeZone, watched, marked }: FootageToolsProps) {
  const t = useText()
  const { opened, open, close } = useFreshDialog()
  return (
    <>
      <FootageButton icon="download" label={t('Download footage')} text={t('Download')} onClick={open} />
      {opened === undefined ? null : (
        <Suspense fallback={null}>
          <DownloadClip
            key={opened.number}
            {...{ cameras, timeZone, watched, marked }}
            open={opened.isOpen}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  )
}

/** What can be done with footage around the time that is watched, or in what is selected; of several cameras only a download. */
export function FootageTools(props: FootageToolsProps) {
  const { cameras, ...range } = props
  const may = useMay()
  const [camera] = cameras
  if (camera === undefined) return null
  const isOne = cameras.length === 1
  const mayDownload = may(isOne ? streamRules.mp4 : addExport) === true
  return (
    <>
      {mayDownload ? <Download {...props} /> : null}
      {isOne && mayDownload ? (
        <Suspense fallback={null}>
          <ShareShown {...range} camera={camera} />
        </Suspense>
      ) : null}
      {isOne ? (
        <Suspense fallback={null}>
          <FootageMenu {...range} camera={camera} />
        </Suspense>
      ) : null}
    </>
  )
}
