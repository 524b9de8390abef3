import type {
  CameraCommandAnswer,
  CameraCommandName,
  CameraCommandQuestion,
  CameraCommands,
  MediaPlane,
} from '@sightline/contract/media-plane'

/** Media workers without cameras and footage. */
export const idleMedia: MediaPlane = {
  snapshot: async () => ({ kind: 'cameraOffline' }),
  recordedPicture: async () => ({ kind: 'noFootage' }),
  command: async () => ({ kind: 'cameraOffline' }),
  talk: async () => ({ kind: 'cameraOffline' }),
  camerasChanged: () => undefined,
  eventAdded: () => undefined,
}

type Outputs = { readonly [Name in CameraCommandName]?: CameraCommands[Name]['output'] }

/** What a camera answers that can do everything. */
export const obedientOutputs: Outputs = {
  setClock: { kind: 'set', aheadBeforeMs: 180_000, aheadMs: 0 },
  ptz: { kind: 'done' },
  ptzAbilities: {
    panTilt: true,
    zoom: true,
    absolute: true,
    relative: true,
    continuous: true,
    center: true,
    home: true,
    presets: 8,
  },
  ptzPresets: [{ presetId: '1', name: 'Door' }],
  savePtzPreset: { kind: 'saved', preset: { presetId: '1', name: 'Door' } },
  removePtzPreset: { kind: 'removed' },
}

/** Cameras that do what they are asked and answer with these outputs; they support no other command. */
export const obedientCameras = (outputs: Outputs): MediaPlane['command'] =>
  answeringCameras(({ name }) => {
    const output = outputs[name]
    return output === undefined ? { kind: 'unsupported' } : { kind: 'done', output }
  })

/** Cameras whose answer to each command the test chooses. */
export function answeringCameras(
  answer: (question: CameraCommandQuestion) => CameraCommandAnswer,
): MediaPlane['command'] {
  // The test chose the answer that belongs to the name of the command.
  return async <Name extends CameraCommandName>(question: CameraCommandQuestion<Name>) =>
    answer(question as CameraCommandQuestion) as CameraCommandAnswer<Name>
}
