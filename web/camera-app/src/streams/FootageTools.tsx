import type { Camera } from '@sightline/contract/cameras'
import { addExport } from '@sightline/contract/exports'
import { streamRules } from '@sightline/contract/streams'
import { Button, Icon } from '@sightline/kit'
import { useMay } from '@sightline/shell'
import { lazy, Suspense, useState } from 'react'
import type { WatchedRange } from '../stage/index.ts'
import { useText } from '../text.ts'

const DownloadClip = lazy(() => import('../clips/index.ts').then((module) => ({ default: module.DownloadClip })))

const ShareFootage = lazy(() => import('../shares/index.ts').then((module) => ({ default: module.ShareFootage })))

const FootageMenu = lazy(() => import('../footage-ranges/index.ts').then((module) => ({ default: module.FootageMenu })))

interface FootageToolsProps extends WatchedRange {
  camera: Camera
  timeZone: string
}

/** Opens a dialog; each time it opens, it begins with what is watched or selected then. */
function useOpened() {
  const [opened, setOpened] = useState<{ readonly number: number; readonly isOpen: boolean }>()
  const open = () => setOpened((before) => ({ number: (before?.number ?? 0) + 1, isOpen: true }))
  const close = () => setOpened((before) => before && { ...before, isOpen: false })
  return { opened, open, close }
}

function Share({ camera, ...range }: FootageToolsProps) {
  const t = useText()
  const { opened, open, close } = useOpened()
  return (
    <>
      <Button
        variant="secondary"
        aria-label={t('Share footage')}
        title={t('Share footage')}
        onClick={open}
        className="px-3!"
      >
        <Icon name="link" />
        <span className="max-sm:sr-only">{t('Share')}</span>
      </Button>
      {opened === undefined ? null : (
        <Suspense fallback={null}>
          <ShareFootage key={opened.number} camera={camera} {...range} open={opened.isOpen} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

function Download({ camera, ...range }: FootageToolsProps) {
  const t = useText()
  const { opened, open, close } = useOpened()
  return (
    <>
      <Button
        variant="secondary"
        aria-label={t('Download footage')}
        title={t('Download footage')}
        onClick={open}
        className="px-3!"
      >
        <Icon name="download" />
        <span className="max-sm:sr-only">{t('Download')}</span>
      </Button>
      {opened === undefined ? null : (
        <Suspense fallback={null}>
          <DownloadClip key={opened.number} cameras={[camera]} {...range} open={opened.isOpen} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

/** What can be done with the footage of a camera around the time that is watched, or in what is selected. */
export function FootageTools(props: FootageToolsProps) {
  const may = useMay()
  const mayDownload = may(streamRules.mp4)
  const mayShare = may(addExport) === true && mayDownload === true
  return (
    <>
      {mayDownload === true ? <Download {...props} /> : null}
      {mayShare ? <Share {...props} /> : null}
      <Suspense fallback={null}>
        <FootageMenu {...props} />
      </Suspense>
    </>
  )
}
