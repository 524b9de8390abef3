import { CameraTurns } from '../camera-settings/index.ts'

/**
 * One queue for each camera of all that changes who signs in to it: its address, the server's user and password, and the camera's own
 * users. Otherwise one change could remove the user that another has just made the server's.
 */
export const signInTurns = new CameraTurns()
