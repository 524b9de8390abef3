import { buttonClass, EmptyState } from '@sightline/kit'
import { usePageTitle } from '@sightline/shell'
import { useText } from '../text.ts'

/** Stands where the address names no camera of this person; whether somebody else has it is not told. */
export function NoSuchCamera() {
  const t = useText()
  usePageTitle(t('No such camera, or not among yours'))
  return (
    <EmptyState
      icon="camera"
      isPage
      title={t('No such camera, or not among yours')}
      action={
        <a data-here href="/app/" className={buttonClass()}>
          {t('All cameras')}
        </a>
      }
    />
  )
}
