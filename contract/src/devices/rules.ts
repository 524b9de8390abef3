import { steersText } from '../user-details/index.ts'

/** The most characters of a device's name (specification §5). */
export const MAX_DEVICE_NAME_LENGTH = 32

/** What is wrong with the name of a device: 1-32 characters, none of them invisible ones that steer what shows them. */
export function deviceNameProblem(text: string): string | undefined {
  if (text.trim() === '') return 'Device name is required'
  if ([...text.trim()].length > MAX_DEVICE_NAME_LENGTH)
    return `Device name should be 1-${MAX_DEVICE_NAME_LENGTH} characters`
  return steersText(text) ? 'Please enter a valid device name' : undefined
}
