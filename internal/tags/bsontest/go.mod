module github.com/heapvet/heapvet/internal/tags/bsontest

go 1.26.0

require github.com/heapvet/heapvet v0.0.0

require go.mongodb.org/mongo-driver/v2 v2.10.0

replace github.com/heapvet/heapvet => ../../..
