import {
  addFirmwareImage,
  deleteFirmwareImage,
  type FirmwareImage,
  getFirmwareImages,
} from '@sightline/contract/firmware-images'
import { Badge, Button, ConfirmDialog, EmptyState } from '@sightline/kit'
import { type Column, DataTable, useRowsInHand, useRowsPerPage } from '@sightline/kit/table'
import { byteSize, LoadFailed, Screen, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useMoment } from '../moments.ts'
import { Gate } from '../shell/Gate.tsx'
import { useOwnStaff } from '../shell/own-staff.ts'
import { AddFirmware } from './AddFirmware.tsx'
import { useText } from './text.ts'

const keyOf = (resellerId: string) => ['resellers', resellerId, 'firmwareImages'] as const

function useColumns(): readonly Column<FirmwareImage>[] {
  const t = useText()
  const moment = useMoment()
  const { languages } = useApplication()
  const language = languages.current()
  return useMemo(
    () => [
      {
        key: 'model',
        header: t('Model'),
        sortBy: ({ brand, model }) => `${brand} ${model}`,
        cell: ({ brand, model }) => `${brand} ${model}`,
      },
      {
        key: 'version',
        header: t('Version'),
        width: '14rem',
        sortBy: ({ version }) => version,
        cell: ({ version }) => version,
      },
      {
        key: 'state',
        header: t('Status'),
        width: '11rem',
        searchText: false,
        cell: ({ sha256 }) =>
          sha256 === null ? (
            <Badge mood="warning">{t('Upload incomplete')}</Badge>
          ) : (
            <Badge mood="success">{t('Offered')}</Badge>
          ),
      },
      {
        key: 'sha256',
        header: 'SHA-256',
        searchText: false,
        cell: ({ sha256 }) => (
          <code className="text-xs wrap-anywhere" dir="ltr">
            {sha256 ?? '–'}
          </code>
        ),
      },
      {
        key: 'signed',
        header: t('Maker’s signature'),
        width: '10rem',
        minor: true,
        searchText: false,
        cell: ({ signed }) => t(signed ? 'Included' : 'None'),
      },
      {
        key: 'size',
        header: t('Size'),
        width: '7rem',
        align: 'end',
        minor: true,
        searchText: false,
        cell: ({ sizeBytes }) => byteSize(sizeBytes, language),
      },
      {
        key: 'added',
        header: t('Added'),
        width: '9rem',
        minor: true,
        searchText: false,
        sortBy: ({ createdAt }) => createdAt,
        cell: ({ createdAt }) => moment(createdAt, 'day'),
      },
    ],
    [t, moment, language],
  )
}

interface RemoveFirmwareProps {
  resellerId: string
  image: FirmwareImage
  onClose: () => void
}

function RemoveFirmware({ resellerId, image, onClose }: RemoveFirmwareProps) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    await save(() => client.call(deleteFirmwareImage, { params: { resellerId, imageId: image.imageId } }), {
      success: t('Firmware removed'),
    })
    setBusy(false)
    void queries.invalidateQueries({ queryKey: keyOf(resellerId) })
    onClose()
  }
  return (
    <ConfirmDialog
      open
      title={t('Remove version {version}?', { version: image.version })}
      confirm={t('Remove firmware')}
      danger
      busy={busy}
      onClose={() => {
        if (!busy) onClose()
      }}
      onConfirm={() => void remove()}
    >
      <p>{t('It is no longer offered to your accounts. Devices that have it keep it.')}</p>
    </ConfirmDialog>
  )
}

function Firmware({ resellerId, mayChange, onAdd }: { resellerId: string; mayChange: boolean; onAdd: () => void }) {
  const t = useText()
  const { client } = useApplication()
  const columns = useColumns()
  const [removing, remove] = useState<FirmwareImage>()
  const [rowsPerPage, onRowsPerPage] = useRowsPerPage('firmware')
  const {
    data: rows,
    error,
    refetch,
  } = useQuery({
    queryKey: keyOf(resellerId),
    queryFn: ({ signal }) => client.call(getFirmwareImages, { params: { resellerId } }, { signal }),
    staleTime: 5000,
  })
  const view = useRowsInHand({ rows, columns, rowsPerPage, onRowsPerPage })
  return (
    <>
      <DataTable
        label={t('Firmware')}
        columns={columns}
        view={view}
        rowKey={({ imageId }) => imageId}
        rowName={({ brand, model, version }) => `${brand} ${model} ${version}`}
        rowMenu={(one) =>
          mayChange ? [{ label: t('Remove'), icon: 'trash', danger: true, onSelect: () => remove(one) }] : []
        }
        searchLabel={t('Search firmware')}
        empty={
          <EmptyState
            icon="download"
            title={t('No firmware yet')}
            action={
              mayChange ? (
                <Button icon="plus" onClick={onAdd}>
                  {t('Upload firmware')}
                </Button>
              ) : undefined
            }
          >
            {t('Upload firmware for a model. Account owners can then upgrade their cameras and recorders.')}
          </EmptyState>
        }
        failed={
          error !== null && rows === undefined ? <LoadFailed error={error} reset={() => void refetch()} /> : undefined
        }
      />
      {removing === undefined ? null : (
        <RemoveFirmware resellerId={resellerId} image={removing} onClose={() => remove(undefined)} />
      )}
    </>
  )
}

/** The firmware that a reseller offers to their accounts. */
export function FirmwareScreen() {
  const t = useText()
  const { queries } = useApplication()
  const { resellerId } = useParams({ from: '/signed-in/resellers/$resellerId/firmware' })
  const { may } = useOwnStaff()
  const [adding, add] = useState(false)
  const mayChange = may(addFirmwareImage)
  const close = () => {
    add(false)
    void queries.invalidateQueries({ queryKey: keyOf(resellerId) })
  }
  return (
    <Screen
      width="table"
      title={t('Firmware')}
      description={t('Account owners decide when a camera or a recorder is upgraded, and see the SHA-256 of the file.')}
      actions={
        mayChange ? (
          <Button icon="plus" onClick={() => add(true)}>
            {t('Upload firmware')}
          </Button>
        ) : undefined
      }
    >
      <Gate call={getFirmwareImages}>
        <Firmware resellerId={resellerId} mayChange={mayChange} onAdd={() => add(true)} />
      </Gate>
      {adding ? <AddFirmware resellerId={resellerId} onClose={close} /> : null}
    </Screen>
  )
}
