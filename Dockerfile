# heapvet with the Go tools that it needs to analyse a module:
#
#   docker build -t heapvet .
#   docker run --rm -v "$PWD:/src" heapvet ./...
FROM golang:1.26-alpine AS build
WORKDIR /heapvet
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /bin/heapvet ./cmd/heapvet

FROM golang:1.26-alpine
RUN apk add --no-cache git && git config --system --add safe.directory '*'
COPY --from=build /bin/heapvet /usr/local/bin/heapvet
ENV CGO_ENABLED=0
WORKDIR /src
ENTRYPOINT ["heapvet"]
CMD ["./..."]
