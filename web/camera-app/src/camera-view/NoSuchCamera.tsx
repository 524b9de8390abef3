import { NothingHere } from '../shell/NothingHere.tsx'
import { useText } from '../text.ts'

/** For an address of no camera of this person; whether somebody else has it is not told. */
export function NoSuchCamera() {
  const t = useText()
  return <NothingHere title={t('No such camera, or not among yours')} />
}
