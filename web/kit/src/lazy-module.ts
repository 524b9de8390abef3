import { useEffect, useState } from 'react'

/** A module that comes after the first paint: with the first hover or focus of what needs it, or when it is opened. */
export interface LazyModule<Module> {
  /** Loads the module, once; false if it could not be loaded. The next call then tries again. */
  preload(): Promise<boolean>
  loaded(): Module | undefined
}

export function lazyModule<Module extends object>(load: () => Promise<Module>): LazyModule<Module> {
  let loaded: Module | undefined
  let loading: Promise<boolean> | undefined
  return {
    loaded: () => loaded,
    preload() {
      loading ??= load().then(
        (module) => {
          loaded = module
          return true
        },
        () => {
          loading = undefined
          return false
        },
      )
      return loading
    },
  }
}

/** The module as soon as it is loaded; loading starts when it is needed. */
export function useLazyModule<Module>(module: LazyModule<Module>, isNeeded: boolean): Module | undefined {
  const [, draw] = useState<boolean>()
  const loaded = module.loaded()
  const isMissing = isNeeded && loaded === undefined
  useEffect(() => {
    if (isMissing) void module.preload().then(draw)
  }, [isMissing, module])
  return loaded
}
