import { Status } from '@sightline/kit'
import { codecName, type PictureView, useViewState } from '@sightline/player'
import { useText } from '../text.ts'

/** Says why the picture is less than usual. */
export function SubStreamNotice({ view }: { view: PictureView | undefined }) {
  const t = useText()
  const isJpeg = useViewState(view, (state) => state.transport === 'jpeg')
  const isShown = useViewState(
    view,
    (state) => (state.isSubStream === true || state.transport === 'jpeg') && state.pictures > 0,
  )
  const codec = codecName(useViewState(view, (state) => state.unsupportedCodec))
  const isSlow = useViewState(view, (state) => state.isNetworkSlow === true)
  if (!isShown) return null
  return <Status className="text-sm text-muted">{text()}</Status>

  function text(): string {
    if (isJpeg) return t('Fewer pictures and no sound, because this browser can’t show {codec}.', { codec })
    if (isSlow) return t('Smaller picture, because your connection is slow. Footage is recorded at full size.')
    return t('Smaller picture, because this browser can’t show {codec}. Footage is recorded at full size.', { codec })
  }
}
