import type { ExportFailure, FootageExport } from '@sightline/contract/exports'
import type { Mood } from '@sightline/kit'
import type { Text } from './text.ts'

export const statusTexts: Readonly<Record<FootageExport['status'], { readonly text: Text; readonly mood: Mood }>> = {
  Queued: { text: 'Waiting', mood: 'neutral' },
  Created: { text: 'Starting', mood: 'brand' },
  InProgress: { text: 'In progress', mood: 'brand' },
  Done: { text: 'Ready', mood: 'success' },
  Failed: { text: 'Failed', mood: 'danger' },
}

/** Why there is no file, and what to do. */
export const failureTexts: Readonly<Record<ExportFailure, Text>> = {
  noFootage: 'This footage no longer exists.',
  diskFull: 'The server has no space left. Delete exports that you no longer need, or try again later.',
  notAuthorized: 'The person who requested it no longer has permission to export footage from these cameras.',
  severalMachines:
    'Parts of this footage are on different machines, so it can’t be one MP4 video. Choose a shorter time or a ZIP file.',
  away: 'The machine with the footage couldn’t be reached. Try again when it is back.',
  noEncoder: 'The machine with the footage can’t change the picture or the speed. Export the footage as recorded.',
  noLogo: 'The logo is no longer available. Export the footage without it.',
  interrupted: 'The server was interrupted several times. Try again.',
}
