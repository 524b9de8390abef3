import type { Camera } from '@sightline/contract/cameras'
import { streamRules } from '@sightline/contract/streams'
import { Button, Icon } from '@sightline/kit'
import { useMay } from '@sightline/shell'
import { lazy, Suspense } from 'react'
import type { WatchedRange } from '../stage/index.ts'
import { useText } from '../text.ts'
import { useFreshDialog } from '../use-fresh-dialog.ts'

const DownloadClip = lazy(() => import('../clips/index.ts').then((module) => ({ default: module.DownloadClip })))

const ShareShown = lazy(() => import('../shares/index.ts').then((module) => ({ default: module.ShareShown })))

const FootageMenu = lazy(() => import('../footage-ranges/index.ts').then((module) => ({ default: module.FootageMenu })))

interface FootageToolsProps extends WatchedRange {
  camera: Camera
  timeZone: string
}

/** A button that opens the dialog; each time it opens, it begins with what is watched or selected then. */
function Download({ camera, ...range }: FootageToolsProps) {
  const t = useText()
  const { opened, open, close } = useFreshDialog()
  return (
    <>
      <Button
        variant="secondary"
        aria-label={t('Download footage')}
        title={t('Download footage')}
        onClick={open}
        className="px-3! max-sm:px-2!"
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
  const mayDownload = useMay()(streamRules.mp4)
  return (
    <>
      {mayDownload === true ? <Download {...props} /> : null}
      {mayDownload === true ? (
        <Suspense fallback={null}>
          <ShareShown {...props} />
        </Suspense>
      ) : null}
      <Suspense fallback={null}>
        <FootageMenu {...props} />
      </Suspense>
    </>
  )
}
