import { useEffect, useState } from 'react'

/** A module that loads after the first paint: on the first hover or focus of its control, or when it opens. */
export interface LazyModule<Module> {
  /** Loads the module once. Returns false if that fails; the next call then tries again. */
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

/** The module once it has loaded; loading starts when it is needed. */
export function useLazyModule<Module>(module: LazyModule<Module>, isNeeded: boolean): Module | undefined {
  const [, draw] = useState<boolean>()
  const loaded = module.loaded()
  const isMissing = isNeeded && loaded === undefined
  useEffect(() => {
    if (isMissing) void module.preload().then(draw)
  }, [isMissing, module])
  return loaded
}
