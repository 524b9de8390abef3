let isFollowed = false

/** Whether the server tells this tab the states that its application follows, so that nothing has to ask for them. */
export const areStatesFollowed = (): boolean => isFollowed

/** What asks every so many milliseconds, unless the server tells it. */
export const askUnlessFollowed =
  (everyMs: number): (() => number | false) =>
  () =>
    areStatesFollowed() ? false : everyMs

export const setStatesFollowed = (value: boolean): void => {
  isFollowed = value
}
