-- CreateTable
CREATE TABLE "tunnel_connections" (
    "tunnel_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "peer_url" TEXT NOT NULL,
    "client_name" TEXT NOT NULL,
    "client_hash" BYTEA,
    "connected_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "heartbeat_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tunnel_connections_pkey" PRIMARY KEY ("tunnel_id")
);

-- CreateIndex
CREATE INDEX "tunnel_connections_project_id_idx" ON "tunnel_connections"("project_id");

-- AddForeignKey
ALTER TABLE "tunnel_connections" ADD CONSTRAINT "tunnel_connections_tunnel_id_fkey" FOREIGN KEY ("tunnel_id") REFERENCES "tunnels"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
