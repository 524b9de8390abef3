let isFollowed = false

/** Whether the server tells this tab the states of cameras and exports, so that nothing has to ask for them. */
export const areStatesFollowed = (): boolean => isFollowed

export const setStatesFollowed = (value: boolean): void => {
  isFollowed = value
}
