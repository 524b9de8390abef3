import { postCamera } from '@sightline/contract/camera-additions'
import { useMay } from '@sightline/shell'

/** How the user may add cameras; undefined until it is known. */
export function useAddingWays(): { readonly byAddress: boolean; readonly byMacAddress: boolean } | undefined {
  const may = useMay()
  const byAddress = may({ ...postCamera, right: 'addCameraManually' })
  const byMacAddress = may({ ...postCamera, right: 'addPnpCamera' })
  return byAddress === undefined || byMacAddress === undefined ? undefined : { byAddress, byMacAddress }
}
