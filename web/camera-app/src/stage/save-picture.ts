import type { PictureView } from '@sightline/player'
import { localDate, timeOfDay } from '@sightline/shell/local-day'

/** Saves the current picture, named after the camera and the time of the picture; false if there is none. */
export async function savePicture(view: PictureView, name: string, timeZone: string): Promise<boolean> {
  const time = view.state.wallclock ?? Date.now()
  const picture = await view.capture()
  if (picture === undefined) return false
  const link = document.createElement('a')
  link.href = URL.createObjectURL(picture)
  link.download = `${name} ${localDate(time, timeZone)} ${timeOfDay(time, timeZone).replaceAll(':', '.')}.png`
  link.click()
  // The browser reads it after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
  return true
}
