import { join } from 'node:path'

/** Where the operator puts the legal texts of brands; every plane reads the same ones. */
export const getLegalFolder = (dataFolder: string): string => join(dataFolder, 'legal')
