import type { CameraCommandName, CameraCommandQuestion } from '@sightline/contract/media-plane'

/** Whether a question is about this command. */
export const isCommand = <Name extends CameraCommandName>(
  question: CameraCommandQuestion<CameraCommandName>,
  name: Name,
): question is CameraCommandQuestion<Name> => question.name === name
