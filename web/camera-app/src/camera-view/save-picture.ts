import type { CameraView } from '@sightline/player'
import { dateOf, timeOfDay } from '../timeline/index.ts'

/** Saves the picture on the screen under the camera's name and the time of the picture; false where there is none. */
export async function savePicture(view: CameraView, name: string, timeZone: string): Promise<boolean> {
  const time = view.state.wallclock ?? Date.now()
  const picture = await view.capture()
  if (picture === undefined) return false
  const link = document.createElement('a')
  link.href = URL.createObjectURL(picture)
  link.download = `${name} ${dateOf(time, timeZone)} ${timeOfDay(time, timeZone).replaceAll(':', '.')}.png`
  link.click()
  // The browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
  return true
}
