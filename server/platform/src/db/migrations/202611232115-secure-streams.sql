-- Streams over TLS (rtsps). Cameras sign their certificates themselves, so the one that was seen at the addition is the right one.
alter table cameras
  add column stream_secure boolean not null default false,
  -- SHA-256 of the certificate (DER). Null: none was seen yet.
  add column certificate_sha256 bytea check (octet_length(certificate_sha256) = 32);
grant update (stream_secure, certificate_sha256) on cameras to sightline_media;
