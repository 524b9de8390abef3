import { saveIdentified, saveOutcome, saveStep } from './addition-store.ts'
import { cameraIdentifier } from './camera-identifier.ts'
import type { ChannelKeeperDeps } from './channel-keeper.ts'
import { replacementKeeper } from './replacement-keeper.ts'
import { type CameraToServe, isUnidentified } from './store.ts'
import { openStoredPassword } from './stored-password.ts'

const openIdentifier = (deps: ChannelKeeperDeps, onSaved: () => void) =>
  cameraIdentifier({
    connectOf: deps.networks.connectOf,
    passwordOf: (camera) => openStoredPassword(camera, deps),
    saveStep: (camera, step) => saveStep(deps.db, camera, step),
    locator: deps.locator,
    saveIdentified: (camera, found) => saveIdentified(deps.db, camera, found),
    saveOutcome: async (camera, outcome) => {
      await saveOutcome(deps.db, camera, { ...outcome, at: deps.now() })
    },
    onSaved,
    log: deps.log,
    now: deps.now,
  })

/** Devices that aren't connected yet: new cameras, and those that are to take the place of others. */
export function openNewcomers(deps: ChannelKeeperDeps, onSaved: () => void) {
  const identifier = openIdentifier(deps, onSaved)
  const replacements = replacementKeeper({
    ...deps,
    connectOf: deps.networks.connectOf,
    passwordOf: (camera) => openStoredPassword(camera, deps),
    onReplaced: onSaved,
  })
  return {
    async keep(cameras: readonly CameraToServe[]): Promise<void> {
      identifier.keep(cameras.filter(isUnidentified))
      // Modes are obeyed whatever becomes of these.
      await replacements.refresh().catch((err: unknown) => deps.log.warn({ err }, 'could not list replacements'))
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([identifier[Symbol.asyncDispose](), replacements[Symbol.asyncDispose]()])
    },
  }
}
